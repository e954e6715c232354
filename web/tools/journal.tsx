import { ListChecks } from "lucide-react";
import { Link } from "wouter";
import type { Act } from "#contract/actions/acts.ts";
import type { Twin } from "#contract/twins.ts";
import { formatMoment, formatRecent } from "#web/i18n/format.ts";
import { ActDecisionButtons } from "#web/parts/acts/act-decision.tsx";
import { actStates, lineOf, UNKNOWN_ACT } from "#web/parts/acts/act-words.ts";
import { NamedList } from "#web/parts/acts/named-list.tsx";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useActs } from "./queries.ts";

interface JournalProps {
  twin: Twin;
  /** Whether only those are shown that wait for the owner or must be checked. */
  open: boolean;
  onOpen: (open: boolean) => void;
}

const FILTERS = [
  [false, "Все"],
  [true, "Ждут"],
] as const;

export default function Journal({ twin, open, onOpen }: JournalProps) {
  const query = useActs(twin.id, open);
  const acts = query.data?.pages.flatMap(({ rows }) => rows);
  return (
    <>
      <fieldset aria-label="Какие действия показать" className="mb-3 flex gap-1">
        {FILTERS.map(([only, label]) => (
          <Button key={label} variant="ghost" aria-pressed={only === open} onClick={() => onOpen(only)}>
            {label}
          </Button>
        ))}
      </fieldset>
      {acts === undefined ? (
        query.error ? (
          <ErrorCard title="Не удалось загрузить журнал" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <LoadingStatus className="min-h-60">Загружаем журнал...</LoadingStatus>
        )
      ) : acts.length === 0 ? (
        <EmptyState
          icon={ListChecks}
          title={open ? "Ничего не ждёт вас" : "Журнал пока пуст"}
          description={
            open
              ? "Здесь появятся действия, которые двойник вызовет только с вашего согласия."
              : "Здесь останется каждое действие: что спросили, что ушло в вашу систему и чем кончилось."
          }
        />
      ) : (
        <>
          <ul aria-label="Журнал действий" aria-busy={query.isPlaceholderData} className="divide-y border-t">
            {acts.map((act) => (
              <Row key={act.id} act={act} twin={twin} />
            ))}
          </ul>
          <MoreRows query={query} />
        </>
      )}
    </>
  );
}

function Row({ act, twin }: { act: Act; twin: Twin }) {
  const { title, conversationId, contactName, platform, state, target, question, result, reason, dry, createdAt } = act;
  const whyNot = useReadOnly(twin);
  const who = [contactName, platformLabelOf(platform)].filter(Boolean).join(", ");
  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="min-w-0 max-w-measure [overflow-wrap:anywhere]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-base">{title}</h2>
          <Badge tone={actStates[state].tone}>{actStates[state].name}</Badge>
          {dry && <Badge>Только показано</Badge>}
        </div>
        <p className="text-muted text-sm">
          <time dateTime={createdAt} title={formatMoment(createdAt)} className="tabular-nums">
            {formatRecent(createdAt)}
          </time>
          {" · "}
          {conversationId === null ? (
            "Проверка на\u00a0примере"
          ) : (
            <Link href={paths.conversation(conversationId)} className="underline">
              {who}
            </Link>
          )}
        </p>
        {act.arguments.length > 0 && <p className="mt-1 text-md">{lineOf(act.arguments)}</p>}
        {state === "unknown" && <p className="mt-1 text-danger-text text-md">{UNKNOWN_ACT}</p>}
        {reason !== null && <p className="mt-1 text-md text-muted">{reason}</p>}
        {(result.length > 0 || target !== null || question !== null) && (
          <details className="mt-1 text-muted text-sm">
            <summary className="w-fit cursor-pointer rounded-sm py-1 hover:text-fg">Подробности</summary>
            <div className="mt-1 flex flex-col gap-3 border-s-2 ps-3 text-fg">
              {target !== null && <p>Куда: {target}</p>}
              {question !== null && <p>Собеседник подтвердил: «{question}»</p>}
              {result.length > 0 && <NamedList label="Что ответила система" named={result} />}
            </div>
          </details>
        )}
      </div>
      <ActDecisionButtons act={act} whyNot={whyNot} />
    </li>
  );
}
