import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { TwinExamAnswer } from "#contract/twin-exam.ts";
import { Badge } from "#web/ui/badge.tsx";

/** A question with the twin's answer and, for a letter, what its owner said then. */
export function ExamAnswer({ answer }: { answer: TwinExamAnswer }) {
  const { question, reply, ownerReply, heldFor } = answer;
  return (
    <div className="flex flex-col gap-4 [overflow-wrap:anywhere]">
      <div>
        <p className="text-muted text-sm">{askerOf(answer)}</p>
        <p className="mt-1 whitespace-pre-line font-medium text-lg">{question}</p>
      </div>
      <div className={clsx("grid gap-4", ownerReply !== null && "md:grid-cols-2")}>
        <Said by="Двойник ответил бы" className="bg-primary-soft">
          {reply === "" ? <span className="text-muted">Модель не дала ответа</span> : reply}
        </Said>
        {ownerReply !== null && (
          <Said by="Вы тогда ответили" className="bg-hover">
            {ownerReply}
          </Said>
        )}
      </div>
      <p>{heldFor === null ? <Badge tone="success">Ушло бы без вас</Badge> : <Badge>Ждало бы вас: {heldFor}</Badge>}</p>
    </div>
  );
}

function Said({ by, className, children }: { by: string; className: string; children: ReactNode }) {
  return (
    <div className={clsx("rounded-md px-4 py-3", className)}>
      <p className="text-muted text-sm">{by}</p>
      <p className="mt-1 whitespace-pre-line text-md">{children}</p>
    </div>
  );
}

/** Whose question it is, and in whose name the twin was asked. */
function askerOf({ from, contactName }: TwinExamAnswer): string {
  if (from === "letter")
    return `Из переписки: ${contactName}. Двойника спросили от имени этого собеседника, но самого письма не показали`;
  return from === "document"
    ? "По вашему документу, от незнакомого человека"
    : "Частый вопрос, от незнакомого человека";
}
