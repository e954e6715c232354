import { useId } from "react";
import { type Act, toolActsApi } from "#contract/actions/acts.ts";
import { queryOf } from "#web/api/query.ts";
import { formatMessageTime } from "#web/i18n/when.ts";
import { ActDecisionButtons } from "#web/parts/acts/act-decision.tsx";
import { actStates, UNKNOWN_ACT } from "#web/parts/acts/act-words.ts";
import { NamedList } from "#web/parts/acts/named-list.tsx";
import { useTwins } from "#web/parts/twins/queries.ts";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PlatformLabel } from "../platform-label.tsx";
import { EarlierMessages } from "./earlier-messages.tsx";

interface ActCardProps {
  act: Act;
  onDecided: (act: Act) => void;
  onOpenConversation: (id: string) => void;
}

/** A call that waits for its owner, with what it is made of; or one of which nobody knows whether it was done. */
export function ActCard({ act, onDecided, onOpenConversation }: ActCardProps) {
  const { title, conversationId, contactName, platform, twinId, twinName, state, target, question, createdAt } = act;
  const heading = useId();
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  // What the question itself says is not said again.
  const named = act.arguments.filter(({ value }) => !act.ownerQuestion?.includes(value));
  const may = Boolean(user && twin && mayChangeTwin(user, twin));
  return (
    <article
      tabIndex={-1}
      aria-labelledby={heading}
      className="flex flex-col gap-3 rounded-lg border p-4 lg:border-transparent"
    >
      <header>
        <div className="flex items-center justify-between gap-3">
          <h3 id={heading} className="min-w-0 truncate text-base">
            {title}
          </h3>
          {conversationId !== null && (
            <Button variant="ghost" size="sm" className="-me-3" onClick={() => onOpenConversation(conversationId)}>
              Открыть диалог
            </Button>
          )}
        </div>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
          <Badge tone={actStates[state].tone}>{actStates[state].name}</Badge>
          <PlatformLabel platform={platform} />
          {contactName !== "" && <span className="min-w-0 truncate">{contactName}</span>}
          <span>{formatMessageTime(createdAt)}</span>
          <span className="min-w-0 truncate">{twinName}</span>
        </p>
      </header>
      {state === "unknown" && (
        <p className="max-w-measure rounded-lg bg-danger-soft px-4 py-2.5 text-danger-text text-md">
          {UNKNOWN_ACT}. Второй раз двойник это не&nbsp;вызовет.
        </p>
      )}
      <EarlierMessages
        query={queryOf(toolActsApi.before, { params: { id: act.id } })}
        contactName={contactName || "Собеседник"}
        lastLeads
      >
        <div className="flex max-w-measure flex-col gap-2 rounded-lg bg-primary-soft px-4 py-2.5">
          <p className={act.ownerQuestion === null ? "font-medium text-md" : "text-muted text-sm"}>
            {state === "unknown"
              ? "Двойник вызвал"
              : act.ownerQuestion !== null
                ? "Двойник спрашивает вас"
                : act.changes
                  ? "Двойник хочет выполнить"
                  : "Двойник хочет посмотреть"}
          </p>
          {act.ownerQuestion !== null && (
            <p className="font-medium text-base [overflow-wrap:anywhere]">{act.ownerQuestion}</p>
          )}
          {named.length > 0 && <NamedList label="С чем" named={named} />}
          {target !== null && <p className="text-muted text-sm [overflow-wrap:anywhere]">Запрос: {target}</p>}
        </div>
      </EarlierMessages>
      {question !== null && (
        <blockquote className="max-w-measure border-s-2 ps-3 text-md text-muted [overflow-wrap:anywhere]">
          Собеседник подтвердил: «{question}»
        </blockquote>
      )}
      {act.reason !== null && <p className="text-muted text-sm">{act.reason}</p>}
      {state === "waiting-owner" && (
        <p className="text-muted text-sm">
          {act.ownerQuestion === null
            ? "Вызовем один раз, и\u00a0собеседник узнает итог. Если не\u00a0выполнять, ответьте ему сами."
            : "Собеседник получит ваш ответ без изменений. Ему уже сказано, что вы уточняете."}
        </p>
      )}
      {may && <ActDecisionButtons act={act} keys onDecided={onDecided} />}
    </article>
  );
}
