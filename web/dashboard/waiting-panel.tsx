import { clsx } from "clsx";
import { ChevronDown, CircleCheck, type LucideIcon, MessageCircleQuestion, PlugZap, Wrench } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { Link } from "wouter";
import type { Waiting } from "#contract/analytics.ts";
import { plural } from "#web/i18n/plural.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { channelName } from "#web/parts/channel-name.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { gapTitle } from "#web/parts/gaps/gap-title.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { PlatformIcon, platformLabelOf, platformName } from "#web/ui/platform-icon.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { countWaiting, useWaiting } from "./queries.ts";

const WaitingDraft = lazy(() => import("./waiting-draft.tsx"));
const WaitingGap = lazy(() => import("./waiting-gap.tsx"));

const ROWS = 5;
/** Height of three rows, so that the page below does not move when they arrive or nothing waits. */
const ROOM = "min-h-33";

const kinds = {
  draft: { label: "Черновик", tone: "warning" },
  question: { label: "Нужен ваш ответ", tone: "warning" },
  undelivered: { label: "Не дошло", tone: "danger" },
} as const;

const actBadges = {
  "waiting-owner": { label: "Ждёт решения", tone: "warning", mend: "Решить" },
  unknown: { label: "Неизвестно", tone: "danger", mend: "Проверить" },
} as const;

/** A channel in trouble reconnects automatically, so its button checks it; a channel that needs the owner is to be fixed. */
const mend = { trouble: "Проверить", action: "Исправить" } as const;

export function WaitingPanel() {
  const mayAct = useReadOnly() === null;
  const { data, error, refetch } = useWaiting(mayAct);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const toggle = (key: string) =>
    setOpened((before) => (before.includes(key) ? before.filter((one) => one !== key) : [...before, key]));
  if (!mayAct) return null;
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить, что вас ждёт" error={error} onRetry={() => void refetch()} />;
  }
  const total = data && countWaiting(data);
  const rows = data ? rowsOf(data, { opened, onToggle: toggle }) : [];
  const isAnswering = data && [...data.answers.first, ...data.gaps.first].some((row) => opened.includes(keyOf(row)));
  return (
    <Card aria-labelledby="dashboard-waiting" tabIndex={-1}>
      <CardHeader
        lead
        id="dashboard-waiting"
        title={
          <>
            Ждёт вас
            {total ? <span className="ms-2 font-normal text-muted tabular-nums">{total}</span> : null}
          </>
        }
        action={
          data && data.answers.total > 0 ? (
            <Button asChild size="sm" variant={isAnswering ? undefined : "primary"}>
              <Link href={paths.approvals}>Разобрать ответы</Link>
            </Button>
          ) : undefined
        }
      />
      {data === undefined ? (
        <div aria-hidden className={`space-y-3 p-4 md:px-5 ${ROOM}`}>
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-6 w-full" />
          ))}
        </div>
      ) : rows.length === 0 ? (
        <div className={`flex flex-col items-start gap-1 px-4 pb-4 md:px-5 ${ROOM}`}>
          <NothingWaits />
        </div>
      ) : (
        <ul className={`@container divide-y ${ROOM}`}>{rows.slice(0, ROWS)}</ul>
      )}
      {rows.length > 0 && total !== undefined && total > Math.min(rows.length, ROWS) && (
        <p className="border-t px-4 py-2 text-muted text-sm md:px-5">
          И&nbsp;ещё {total - Math.min(rows.length, ROWS)}: <Link href={paths.conversations}>в&nbsp;диалогах</Link>
          {data && data.channels.total > 0 && (
            <>
              {" "}
              и&nbsp;<Link href={paths.integrations}>интеграциях</Link>
            </>
          )}
        </p>
      )}
    </Card>
  );
}

function NothingWaits() {
  return (
    <>
      <p className="flex items-center gap-2 text-md">
        <CircleCheck aria-hidden className="icon text-success" />
        Сейчас ничто не&nbsp;ждёт
      </p>
      <p className="text-muted text-sm">
        Здесь появятся черновики, действия, вопросы без&nbsp;ответа, непрочитанное и&nbsp;каналы, потерявшие связь.
      </p>
    </>
  );
}

interface Opened {
  /** Keys of the rows whose answer is open. */
  opened: readonly string[];
  onToggle: (key: string) => void;
}

/** An answer's own key, and of the gaps that of their twin. */
const keyOf = (row: Waiting["answers"]["first"][number] | Waiting["gaps"]["first"][number]): string =>
  "twinId" in row ? row.twinId : row.id;

function rowsOf({ answers, acts, gaps, unread, channels }: Waiting, opened: Opened): ReactNode[] {
  return [
    ...channels.first.map(({ id, twinName, connection, reason, ...channel }) => (
      <Row
        key={id}
        to={paths.integration(id)}
        picture={<IconPicture icon={PlugZap} />}
        name={channelName(channel)}
        place={platformName(channel.platform)}
        text={`${reason} · ${twinName}`}
        badge={<ConnectionBadge connection={connection} />}
        action={
          <Button asChild size="sm" className="relative z-10 @xl:w-full">
            <Link href={paths.integration(id)} aria-label={`${mend[connection]}: ${channelName(channel)}`}>
              {mend[connection]}
            </Link>
          </Button>
        }
      />
    )),
    ...acts.first.map(({ id, state, title, about, contactName, platform, twinName, since }) => (
      <Row
        key={id}
        to={paths.waitingAct(id)}
        picture={<IconPicture icon={Wrench} />}
        name={title}
        place={[contactName || platformLabelOf(platform), twinName].join(", ")}
        text={[contactName || platformLabelOf(platform), about].filter((part) => part !== "").join(" · ")}
        since={since}
        badge={<Badge tone={actBadges[state].tone}>{actBadges[state].label}</Badge>}
        action={
          <Button asChild size="sm" className="relative z-10 @xl:w-full">
            <Link href={paths.waitingAct(id)} aria-label={`${actBadges[state].mend}: ${title}`}>
              {actBadges[state].mend}
            </Link>
          </Button>
        }
      />
    )),
    ...answers.first.map((answer) => <AnswerRow key={answer.id} answer={answer} opened={opened} />),
    ...gaps.first.map((gap) => <GapRow key={gap.twinId} gap={gap} opened={opened} />),
    ...unread.first.map(({ conversationId, contactName, platform, lastMessage, unread: count, since }) => (
      <Row
        key={conversationId}
        to={paths.conversation(conversationId)}
        picture={<Avatar name={contactName} size="sm" who="contact" />}
        name={contactName}
        platform={platform}
        place={`${platformName(platform)}, диалог ведёте вы`}
        text={lastMessage}
        since={since}
        badge={<Badge tone="neutral">{plural(count, ["новое", "новых", "новых"])}</Badge>}
      />
    )),
  ];
}

/** Stands where other rows have a person's picture. */
const IconPicture = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-warning-soft text-warning-text">
    <Icon aria-hidden className="icon" />
  </span>
);

/** A draft can be read and a question answered inside the row; a message that may have arrived opens its conversation. */
function AnswerRow({ answer, opened }: { answer: Waiting["answers"]["first"][number]; opened: Opened }) {
  const { conversationId, kind, contactName, platform, twinName, question, since } = answer;
  const under = useUnder(keyOf(answer), opened);
  return (
    <Row
      to={paths.conversation(conversationId)}
      picture={<Avatar name={contactName} size="sm" who="contact" />}
      name={contactName}
      platform={platform}
      place={`${platformName(platform)}, ${twinName}`}
      text={question || "Вы написали первым"}
      since={since}
      badge={<Badge tone={kinds[kind].tone}>{kinds[kind].label}</Badge>}
      action={
        kind !== "undelivered" && (
          <UnderButton
            {...under}
            label={kind === "draft" ? "Прочитать" : "Ответить"}
            about={kind === "draft" ? `Прочитать ответ: ${contactName}` : `Ответить: ${contactName}`}
          />
        )
      }
    >
      <Under {...under}>
        <WaitingDraft draft={answer} />
      </Under>
    </Row>
  );
}

function GapRow({ gap, opened }: { gap: Waiting["gaps"]["first"][number]; opened: Opened }) {
  const { twinId, twinName, questions, areMore, question, said, since } = gap;
  const under = useUnder(keyOf(gap), opened);
  return (
    <Row
      to={paths.twinGaps(twinId)}
      picture={<IconPicture icon={MessageCircleQuestion} />}
      name="Пробелы"
      place={areMore ? `${twinName}: ещё вопросы без ответа` : `${twinName}: вопросы без ответа`}
      text={`${twinName}: ${gapTitle(question, said).title}`}
      lines={under.open ? "all" : 2}
      since={since}
      badge={<Badge tone="warning">{plural(questions, ["вопрос", "вопроса", "вопросов"])}</Badge>}
      action={<UnderButton {...under} label="Ответить" about={`Ответить на вопрос: ${question}`} />}
    >
      <Under {...under}>
        <WaitingGap gap={gap} onClose={under.onToggle} />
      </Under>
    </Row>
  );
}

interface UnderState {
  id: string;
  open: boolean;
  onToggle: () => void;
}

function useUnder(key: string, { opened, onToggle }: Opened): UnderState {
  const id = useId();
  return { id, open: opened.includes(key), onToggle: () => onToggle(key) };
}

function UnderButton({ id, open, onToggle, label, about }: UnderState & { label: string; about: string }) {
  return (
    <Button
      size="sm"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      aria-label={about}
      className="relative z-10 @xl:w-full"
      onClick={onToggle}
    >
      {label}
      <ChevronDown aria-hidden className={open ? "icon rotate-180" : "icon"} />
    </Button>
  );
}

function Under({ id, open, children }: UnderState & { children: ReactNode }) {
  if (!open) return null;
  return (
    <div id={id}>
      <Suspense fallback={<Skeleton className="h-16 w-full" />}>{children}</Suspense>
    </div>
  );
}

interface RowProps {
  to: string;
  picture: ReactNode;
  name: string;
  platform?: string;
  /** Name of the platform or place, for screen readers and the tooltip. */
  place: string;
  text: string;
  /** How many lines the text may take. */
  lines?: 1 | 2 | "all";
  since?: string;
  badge: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** A row of 44 px in one line, which stacks its parts in a narrow panel; the whole row is clickable. */
function Row({ to, picture, name, platform, place, text, lines = 1, since, badge, action, children }: RowProps) {
  return (
    <li>
      <div className="relative flex min-h-11 min-w-0 items-center gap-3 px-4 py-1 transition-colors hover:bg-hover @max-xl:items-start @max-xl:py-3 md:px-5">
        {picture}
        <div className="min-w-0 flex-1 @xl:contents">
          <div className="flex items-baseline justify-between gap-3 @xl:contents">
            <Link
              href={to}
              title={place}
              className="min-w-0 truncate rounded-sm font-medium text-md text-fg after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-[-3px] @xl:max-w-80 @xl:shrink-0"
            >
              {platform && <PlatformIcon platform={platform} className="icon me-1.5 inline text-muted" />}
              {name}
              <span className="sr-only">, {place}</span>
            </Link>
            {since && (
              <time dateTime={since} className="shrink-0 text-muted text-sm tabular-nums @xl:order-1">
                {formatWhen(since)}
              </time>
            )}
          </div>
          <p
            className={clsx("min-w-0 flex-1 text-md text-muted", { 1: "truncate", 2: "line-clamp-2", all: "" }[lines])}
          >
            {text}
          </p>
          <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 @xl:contents">
            <div className="@xl:order-1 @xl:w-32 @xl:shrink-0 @xl:text-end">{badge}</div>
            <div className="@xl:order-1 @xl:w-28 @xl:shrink-0">{action}</div>
          </div>
        </div>
      </div>
      {children}
    </li>
  );
}
