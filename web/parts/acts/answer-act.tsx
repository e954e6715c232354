import { useState } from "react";
import type { Act } from "#contract/actions/acts.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { useAnswerAct, useDecideAct } from "./queries.ts";

interface AnswerActProps {
  act: Pick<Act, "id" | "title" | "ownerQuestion">;
  /** Whether the question stands above already. */
  isAsked: boolean;
  whyNot: string | null;
  onDecided: ((act: Act) => void) | undefined;
}

/** The owner answers what the twin asks him; the customer gets his words as they are. */
export function AnswerAct({ act: { id, title, ownerQuestion }, isAsked, whyNot, onDecided }: AnswerActProps) {
  const [text, setText] = useState("");
  const [answer, decide] = [useAnswerAct(), useDecideAct()];
  const busy = answer.isPending || decide.isPending;
  const send = useSingleFlight(async () => {
    const answered = await answer.mutateAsync({ id, text: text.trim() }).catch(() => undefined);
    if (answered) onDecided?.(answered);
  });
  const refuse = useSingleFlight(async () => {
    const refused = await decide.mutateAsync({ id, decision: "reject" }).catch(() => undefined);
    if (refused) onDecided?.(refused);
  });
  return (
    <div className="flex w-full max-w-measure flex-col gap-3">
      <Field
        label={isAsked ? "Ваш ответ" : (ownerQuestion ?? title)}
        hint={<span className="max-md:hidden">Ctrl+Enter отправит</span>}
      >
        <Textarea
          rows={3}
          maxLength={2000}
          disabled={whyNot !== null}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || text.trim() === "") return;
            event.preventDefault();
            void send();
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          className="max-sm:flex-1"
          busy={answer.isPending}
          disabled={busy}
          whyNot={whyNot ?? (text.trim() === "" ? "Сначала напишите ответ" : null)}
          onClick={() => void send()}
        >
          {answer.isPending ? "Отправляем..." : "Ответить"}
        </Button>
        <Button
          className="max-sm:flex-1"
          busy={decide.isPending}
          disabled={busy}
          whyNot={whyNot}
          onClick={() => void refuse()}
        >
          Не отвечать
        </Button>
      </div>
    </div>
  );
}
