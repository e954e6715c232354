import { ListChecks } from "lucide-react";
import { Link } from "wouter";
import type { Act, ActsShown } from "#contract/actions/acts.ts";
import type { Twin } from "#contract/twins.ts";
import { formatMoment, formatRecent, formatTime } from "#web/i18n/format.ts";
import { ActDecisionButtons } from "#web/parts/acts/act-decision.tsx";
import { actStates, lineOf, ONLY_SHOWN, UNKNOWN_ACT } from "#web/parts/acts/act-words.ts";
import { NamedList } from "#web/parts/acts/named-list.tsx";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useActs, useTools } from "./queries.ts";

interface JournalProps {
  twin: Twin;
  /** As the address has it: one of OUTCOMES, or anything else for all. */
  show: string | null;
  /** "": of all tools. */
  toolId: string;
  onFilter: (filter: { show?: string; tool?: string }) => void;
}

const OUTCOMES: readonly [ActsShown, string][] = [
  ["open", "Ждут вас"],
  ["done", actStates.done.name],
  ["refused", actStates.refused.name],
  ["failed", actStates.failed.name],
  ["unknown", actStates.unknown.name],
  ["dry", ONLY_SHOWN.name],
];

export default function Journal({ twin, show, toolId, onFilter }: JournalProps) {
  const shown = OUTCOMES.find(([outcome]) => outcome === show)?.[0];
  const query = useActs(twin.id, { show: shown, toolId });
  const { data: tools = [] } = useTools(twin.id, useReadOnly(twin) === null);
  const acts = query.data?.pages.flatMap(({ rows }) => rows);
  const isFiltered = shown !== undefined || toolId !== "";
  return (
    <>
      <div className="mb-3 grid items-center gap-2 sm:grid-cols-2">
        <Select
          aria-label="Итог"
          placeholder="Любой итог"
          value={shown ?? ""}
          onChange={({ target }) => onFilter({ show: target.value })}
        >
          {OUTCOMES.map(([outcome, name]) => (
            <option key={outcome} value={outcome}>
              {name}
            </option>
          ))}
        </Select>
        {(tools.length > 1 || toolId !== "") && (
          <Select
            aria-label="Действие"
            placeholder="Все действия"
            value={toolId}
            onChange={({ target }) => onFilter({ tool: target.value })}
          >
            {tools.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </div>
      {acts === undefined ? (
        query.error ? (
          <ErrorCard title="Не удалось загрузить журнал" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <LoadingStatus className="min-h-60">Загружаем журнал...</LoadingStatus>
        )
      ) : acts.length === 0 ? (
        <EmptyState
          icon={ListChecks}
          title={shown === "open" ? "Ничего не ждёт вас" : isFiltered ? "Ничего не найдено" : "Журнал пока пуст"}
          description={
            shown === "open"
              ? "Здесь появятся действия, которые двойник вызовет только с вашего согласия."
              : isFiltered
                ? "Таких действий в журнале нет."
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
  const { user } = useSession();
  const stands = dry ? ONLY_SHOWN : actStates[state];
  const decision = decisionIn(act, user?.id);
  const who = [contactName, platformLabelOf(platform)].filter(Boolean).join(", ");
  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="min-w-0 max-w-measure [overflow-wrap:anywhere]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-base">{title}</h2>
          <Badge tone={stands.tone}>{stands.name}</Badge>
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
          {decision !== null && ` · ${decision}`}
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

/** Who let it be called or not, and when; null where nobody was to decide. */
function decisionIn(
  { state, dry, decidedBy, decidedAt, decider, createdAt }: Act,
  userId: string | undefined,
): string | null {
  if (decidedBy !== null) {
    const [made, decided] = [new Date(createdAt), new Date(decidedAt ?? createdAt)];
    // The day stands before it already.
    const when =
      made.toDateString() === decided.toDateString() ? `в\u00a0${formatTime(decided)}` : formatRecent(decided);
    return decidedBy === userId ? `решили вы ${when}` : `решение: ${decider}, ${when}`;
  }
  const isCalled = state === "done" || state === "failed" || state === "unknown";
  return isCalled && !dry ? "двойник сам" : null;
}
