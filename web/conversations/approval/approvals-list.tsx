import { useId, useRef } from "react";
import type { Approval } from "#contract/conversations/approvals.ts";
import { formatMessageTime } from "#web/i18n/when.ts";
import { howSure } from "#web/parts/how-sure.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { notDelivered } from "../not-delivered.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { useDraftListKeys } from "./act-keys.ts";
import { AnswerSources } from "./answer-sources.tsx";
import { Decision } from "./decision.tsx";
import { isOpenQuestion, OPEN_QUESTION } from "./open-question.ts";
import { SwipeCard } from "./swipe/swipe-card.tsx";

interface ApprovalsListProps {
  approvals: readonly Approval[];
  onOpenConversation: (id: string) => void;
}

/** Drafts that wait for approval, oldest first, with the question, the twin's answer and the reason. */
export default function ApprovalsList({ approvals, onOpenConversation }: ApprovalsListProps) {
  const list = useRef<HTMLUListElement>(null);
  useDraftListKeys(list);
  // A card with nothing to send does not go to the right.
  const sendable = approvals.find(({ text }) => text !== "")?.id;
  return (
    <div className="flex min-h-0 flex-col">
      <ul ref={list} aria-label="Ответы, которые ждут решения" className="flex flex-col gap-4 overflow-y-auto p-4">
        {approvals.map((approval) => (
          <li key={approval.id}>
            {approval.id === sendable && (
              <p className="truncate pb-2 text-muted text-sm md:hidden">Смахните: вправо — отправить, влево — решить</p>
            )}
            <ApprovalCard approval={approval} onOpenConversation={onOpenConversation} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ApprovalCardProps extends Pick<ApprovalsListProps, "onOpenConversation"> {
  approval: Approval;
}

function ApprovalCard({ approval, onOpenConversation }: ApprovalCardProps) {
  const { contactName, platform, twinId, twinName, question, text, state, reason } = approval;
  const open = isOpenQuestion(approval);
  const heading = useId();
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const may = Boolean(user && twin && mayChangeTwin(user, twin));
  return (
    <SwipeCard name={contactName} enabled={may}>
      <article
        tabIndex={-1}
        aria-labelledby={heading}
        className="flex flex-col gap-3 rounded-lg border p-4 focus:outline-2 focus:outline-ring"
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id={heading} className="min-w-0 truncate text-base">
            {contactName}
          </h3>
          {open && <Badge tone="warning">Не знаю ответа</Badge>}
          {state in notDelivered && <Badge tone="warning">{notDelivered[state as keyof typeof notDelivered]}</Badge>}
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-muted text-sm">
            <PlatformLabel platform={platform} />
            <span>{twinName}</span>
            <span>{formatMessageTime(approval.createdAt)}</span>
          </p>
          <Button
            variant="ghost"
            size="sm"
            className="ms-auto"
            onClick={() => onOpenConversation(approval.conversationId)}
          >
            Открыть диалог
          </Button>
        </header>
        {question !== "" && (
          <blockquote className="whitespace-pre-wrap border-s-2 ps-3 text-md text-muted [overflow-wrap:anywhere]">
            {question}
          </blockquote>
        )}
        {text !== "" && (
          <p className="whitespace-pre-wrap rounded-md bg-sunken p-3 text-base [overflow-wrap:anywhere]">{text}</p>
        )}
        <p className="text-muted text-sm">
          {[open ? OPEN_QUESTION : reason, howSure(approval)].filter(Boolean).join(" · ")}
        </p>
        <AnswerSources answer={approval} />
        {may && <Decision answer={approval} undoInToast />}
      </article>
    </SwipeCard>
  );
}
