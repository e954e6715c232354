import { clsx } from "clsx";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Act } from "#contract/actions/acts.ts";
import { type Approval, approvalsApi } from "#contract/conversations/approvals.ts";
import { queryOf } from "#web/api/query.ts";
import { formatMessageTime, formatWhen } from "#web/i18n/when.ts";
import ToolCalls from "#web/parts/acts/tool-calls.tsx";
import { confidenceLabel } from "#web/parts/confidence-label.ts";
import { hiddenWords } from "#web/parts/hidden-words.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";
import { notDelivered } from "../not-delivered.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { ActCard } from "./act-card.tsx";
import { useDraftListKeys } from "./act-keys.ts";
import { AnswerPassage, AnswerSources } from "./answer-sources.tsx";
import { Decision } from "./decision.tsx";
import { DoubtfulText } from "./doubtful-text.tsx";
import { EarlierMessages } from "./earlier-messages.tsx";
import { isOpenQuestion, OPEN_QUESTION } from "./open-question.ts";
import { SwipeCard } from "./swipe/swipe-card.tsx";

interface ApprovalsListProps {
  approvals: readonly Approval[];
  /** Acts of twins that wait too; they stand before the answers. */
  acts: readonly Act[];
  /** Id of the one that is shown first, as an address asks; null: the oldest. */
  first: string | null;
  onDecided: (act: Act) => void;
  onOpenConversation: (id: string) => void;
}

/**
 * Acts and drafts that wait for approval, oldest first, with the question, the twin's answer and the reason. Narrow screens stack them; at
 * desktop width one is shown beside the list of all. Text typed into a draft stays while another is shown.
 */
export function ApprovalsList({ approvals, acts, first, onDecided, onOpenConversation }: ApprovalsListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState({ id: first ?? "", at: 0 });
  const items: readonly (Act | Approval)[] = [...acts, ...approvals];
  const found = items.findIndex(({ id }) => id === chosen.id);
  // The draft after a decided one takes its place.
  const at = found >= 0 ? found : Math.min(chosen.at, items.length - 1);
  const { id } = items[at]!;
  if (id !== chosen.id || at !== chosen.at) setChosen({ id, at });

  const card = (place: number) => box.current?.querySelectorAll<HTMLElement>("article")[place];
  function show(place: number): boolean {
    const next = items[place];
    if (!next) return false;
    flushSync(() => setChosen({ id: next.id, at: place }));
    card(place)?.focus();
    card(place)?.scrollIntoView({ block: "nearest" });
    return true;
  }
  useDraftListKeys(box, (step) => show(at + step));

  const visited = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft that is decided takes the focus with it
  useLayoutEffect(() => {
    if (visited.current && document.activeElement === document.body) card(at)?.focus();
  }, [id]);

  // A phone shows the cards one below the other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the address has asked for
  useEffect(() => {
    if (found < 0 || first === null) return;
    card(at)?.focus();
    card(at)?.scrollIntoView({ block: "nearest" });
  }, []);

  // A card with nothing to send cannot be swiped to the right.
  const firstToSend = items.findIndex((item) => !isAct(item) && item.text !== "" && !item.hidden);
  const several = items.length > 1;
  return (
    <div
      ref={box}
      className={clsx(
        "grid min-h-0 flex-1 grid-cols-1 grid-rows-1",
        several && "lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]",
      )}
    >
      {several && (
        <nav aria-label="Очередь ответов" className="min-h-0 overflow-y-auto max-lg:hidden lg:border-e">
          <ol>
            {items.map((item, place) => (
              <li key={item.id}>
                <QueueRow item={item} shown={place === at} onShow={() => show(place)} />
              </li>
            ))}
          </ol>
        </nav>
      )}
      <ul aria-label="Ответы, которые ждут решения" className="flex flex-col gap-4 overflow-y-auto p-4">
        {items.map((item, place) => (
          <li
            key={item.id}
            className={clsx(place !== at && "lg:hidden")}
            onFocus={() => {
              visited.current = true;
              setChosen({ id: item.id, at: place });
            }}
          >
            {place === firstToSend && (
              <p className="flex flex-wrap items-center justify-between gap-x-3 pb-2 text-sm md:hidden">
                <span className="text-muted">
                  <span aria-hidden>← </span>Смахните влево: изменить
                </span>
                <span className="font-medium text-primary-text">
                  Вправо: отправить<span aria-hidden> →</span>
                </span>
              </p>
            )}
            {isAct(item) ? (
              <ActCard act={item} onDecided={onDecided} onOpenConversation={onOpenConversation} />
            ) : (
              <ApprovalCard approval={item} queued={several} onOpenConversation={onOpenConversation} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const isAct = (item: Act | Approval): item is Act => "arguments" in item;

interface QueueRowProps {
  item: Act | Approval;
  shown: boolean;
  onShow: () => void;
}

function QueueRow({ item, shown, onShow }: QueueRowProps) {
  const { contactName, createdAt } = item;
  return (
    <button
      type="button"
      aria-current={shown || undefined}
      onClick={onShow}
      className={clsx(
        "flex w-full flex-col px-4 py-2 text-start transition-colors hover:bg-hover focus-visible:outline-offset-[-3px]",
        shown && "bg-primary-soft",
      )}
    >
      <span className="flex w-full items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium text-md">
          {contactName || platformLabelOf(item.platform)}
        </span>
        <time dateTime={createdAt} className="shrink-0 text-muted text-sm tabular-nums">
          {formatWhen(createdAt)}
        </time>
      </span>
      <span className="w-full truncate text-muted text-sm">
        {isAct(item) ? item.title : item.question || item.text}
      </span>
      {isAct(item) ? (
        <span className="text-sm text-warning-text">
          {item.state === "unknown" ? "Проверьте, выполнено ли" : "Действие ждёт вас"}
        </span>
      ) : (
        isOpenQuestion(item) && <span className="text-sm text-warning-text">Нужен ваш ответ</span>
      )}
    </button>
  );
}

interface ApprovalCardProps extends Pick<ApprovalsListProps, "onOpenConversation"> {
  approval: Approval;
  queued: boolean;
}

function ApprovalCard({ approval, queued, onOpenConversation }: ApprovalCardProps) {
  const { contactName, platform, twinId, twinName, question, text, state, reason } = approval;
  const open = isOpenQuestion(approval);
  const isDesktop = useIsDesktop();
  const heading = useId();
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const may = Boolean(user && twin && mayChangeTwin(user, twin));
  return (
    <SwipeCard name={contactName} enabled={may && !approval.hidden}>
      <article
        tabIndex={-1}
        aria-labelledby={heading}
        className="flex flex-col gap-3 rounded-lg border p-4 lg:border-transparent"
      >
        <header>
          <div className="flex items-center justify-between gap-3">
            <h3 id={heading} className="min-w-0 truncate text-base">
              {contactName}
            </h3>
            <Button
              variant="ghost"
              size="sm"
              className="-me-3"
              onClick={() => onOpenConversation(approval.conversationId)}
            >
              Открыть диалог
            </Button>
          </div>
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
            {/* The queue beside the draft shows the same. */}
            {open && (
              <span className={clsx(queued && "lg:hidden")}>
                <Badge tone="warning">Нужен ваш ответ</Badge>
              </span>
            )}
            {state in notDelivered && <Badge tone="warning">{notDelivered[state as keyof typeof notDelivered]}</Badge>}
            <PlatformLabel platform={platform} />
            <span>{formatMessageTime(approval.createdAt)}</span>
            <span className="min-w-0 truncate">{twinName}</span>
          </p>
        </header>
        {question !== "" && (
          <EarlierMessages
            query={queryOf(approvalsApi.earlier, { params: { id: approval.id } })}
            contactName={contactName}
          >
            <blockquote className="max-w-measure self-start whitespace-pre-wrap rounded-lg bg-hover px-4 py-2.5 text-base [overflow-wrap:anywhere]">
              {wholeNumbers(question)}
            </blockquote>
          </EarlierMessages>
        )}
        {text !== "" && (
          <p className="max-w-measure self-start whitespace-pre-wrap rounded-lg bg-primary-soft px-4 py-2.5 text-base [overflow-wrap:anywhere]">
            {approval.hidden ? (
              hiddenWords()
            ) : approval.doubtful === undefined ? (
              wholeNumbers(text)
            ) : (
              <DoubtfulText text={text} doubtful={approval.doubtful} />
            )}
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          {[open ? OPEN_QUESTION : reason, confidenceLabel(approval)].filter(Boolean).map((one) => (
            <span key={one}>{one}</span>
          ))}
        </p>
        {approval.calls && <ToolCalls calls={approval.calls} />}
        {isDesktop ? <AnswerPassage answer={approval} /> : <AnswerSources answer={approval} />}
        {may && !approval.hidden && <Decision answer={approval} undoInToast pinned={queued && isDesktop} />}
      </article>
    </SwipeCard>
  );
}
