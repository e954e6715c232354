import type { ReactNode } from "react";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { Twin } from "#contract/twins.ts";
import { formatDate } from "#web/i18n/format.ts";
import { AnswerOrigin } from "./answer-origin.tsx";

interface SideBySideProps {
  /** null when `question` was asked, which is not from the history. */
  pair: FirstAnswer["pair"];
  question?: string | undefined;
  reply: NonNullable<FirstAnswer["reply"]>;
  twin: Twin;
  faded?: boolean;
  children?: ReactNode;
}

export function SideBySide({ pair, question, reply, twin, faded = false, children }: SideBySideProps) {
  return (
    <div aria-busy={faded || undefined} className={`flex flex-col gap-4 ${faded ? "opacity-50" : ""}`}>
      <figure className="flex flex-col items-start gap-1.5">
        <figcaption className="text-sm text-subtle">
          {pair === null
            ? "Так спрашивают часто"
            : `${pair.contactName || "Собеседник"}, ${formatDate(pair.repliedAt)}`}
        </figcaption>
        <blockquote className="max-w-measure whitespace-pre-wrap rounded-lg rounded-es-sm bg-hover px-4 py-2.5 [overflow-wrap:anywhere]">
          {pair?.incoming ?? question}
        </blockquote>
      </figure>
      <div className={`grid grid-cols-1 gap-4 md:grid-cols-2 ${children ? "items-start" : ""}`}>
        <Answer by={`Ответ двойника «${innerQuotes(twin.name)}»`} look="bg-primary-soft">
          {/* Long messages are shown whole, because the answer may refer to their end. */}
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reply.response}</p>
          <p className="mt-auto pt-1 text-muted text-sm">
            <AnswerOrigin reply={reply} answer={reply.response} />
          </p>
        </Answer>
        <Answer
          by={pair === null ? "Ваш ответ" : "Ваш настоящий ответ"}
          look="bg-echo-soft"
          isNamed={children === undefined}
        >
          {children ?? <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{pair?.ownerReply}</p>}
        </Answer>
      </div>
      {pair !== null && (
        <p className="max-w-measure text-muted text-sm">
          Двойник отвечал, не&nbsp;видя вашего ответа: на&nbsp;это время пара сообщений убрана из&nbsp;его памяти.
        </p>
      )}
    </div>
  );
}

interface AnswerProps {
  by: string;
  look: string;
  /** Whether the author's name is visible; false for a form, which has its own labels. */
  isNamed?: boolean;
  children: ReactNode;
}

function Answer({ by, look, isNamed = true, children }: AnswerProps) {
  return (
    <section aria-label={by} className={`flex min-w-0 flex-col gap-2 rounded-lg p-4 ${look}`}>
      <h3 className={isNamed ? "font-medium text-muted text-sm [overflow-wrap:anywhere]" : "sr-only"}>{by}</h3>
      {children}
    </section>
  );
}
