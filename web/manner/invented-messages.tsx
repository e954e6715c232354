import { useRef, useState } from "react";
import { LONGEST_SAMPLE, type StyleSamples } from "#contract/knowledge/style-samples.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useRemoveSample, useWriteSample } from "./queries.ts";

interface InventedMessagesProps {
  twinId: string;
  data: StyleSamples;
  readOnly: string | null;
}

/** One invented message after another, which the owner answers as he would in a messenger. */
export function InventedMessages({ twinId, data: { samples, messages }, readOnly }: InventedMessagesProps) {
  const [text, setText] = useState("");
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [write, remove] = [useWriteSample(twinId), useRemoveSample(twinId)];
  const field = useRef<HTMLTextAreaElement>(null);
  const answered = samples.filter(({ origin }) => origin === "written").length;
  const total = answered + messages.length;
  const left = messages.filter((message) => !skipped.includes(message));
  const [message] = left;

  function submit() {
    const answer = text.trim();
    if (message === undefined || answer === "" || readOnly !== null || write.isPending) return;
    write.mutate(
      { incoming: message, text: answer },
      {
        onSuccess: ({ id }) => {
          setText("");
          field.current?.focus();
          actionToast("Образец сохранён", [{ label: "Отменить", onPress: () => remove.mutate(id) }]);
        },
      },
    );
  }

  return (
    <Card aria-labelledby="invented-messages">
      <CardHeader
        id="invented-messages"
        title="Как бы вы ответили?"
        description="Этих сообщений никто не писал. Три минуты, и двойник будет писать незнакомым так, как вы."
        lead
      />
      <CardBody className="flex flex-col gap-5">
        <div>
          <p className="text-md text-muted tabular-nums">
            Отвечено {answered} из {total}
          </p>
          <Progress className="mt-2" label="Отвечено сообщений" value={total === 0 ? 100 : (answered / total) * 100} />
        </div>
        {message === undefined ? (
          <AllDone skipped={skipped.length} onAgain={() => setSkipped([])} />
        ) : (
          <form
            className="flex max-w-measure flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              submit();
            }}
          >
            {/* Messages are content: they are Russian in every language of the interface, unless the owner's documents are not. */}
            <blockquote
              lang={/[а-яё]/i.test(message) ? "ru" : undefined}
              aria-live="polite"
              className="rounded-md bg-sunken px-4 py-3 text-base"
            >
              {message}
            </blockquote>
            <Field
              label="Ваш ответ"
              hint="Пишите как в мессенджере: каждое сообщение с новой строки. Ctrl+Enter сохранит."
            >
              <Textarea
                ref={field}
                rows={3}
                maxLength={LONGEST_SAMPLE.text}
                value={text}
                disabled={readOnly !== null}
                onChange={(event) => setText(event.target.value)}
              />
            </Field>
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                variant="primary"
                busy={write.isPending}
                whyNot={readOnly ?? (text.trim() === "" ? "Сначала напишите ответ" : null)}
              >
                Сохранить
              </Button>
              <Button variant="ghost" onClick={() => setSkipped([...skipped, message])}>
                Пропустить
              </Button>
            </div>
          </form>
        )}
      </CardBody>
    </Card>
  );
}

function AllDone({ skipped, onAgain }: { skipped: number; onAgain: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-64 text-md">
        {skipped === 0
          ? "Спасибо, это всё: двойник уже пишет по вашим образцам."
          : "На остальное можно ответить позже."}
      </p>
      {skipped > 0 && <Button onClick={onAgain}>Вернуться к пропущенным</Button>}
    </div>
  );
}
