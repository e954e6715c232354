import { useEffect, useState } from "react";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { useCorrectionPreview } from "./queries.ts";

const TYPING_PAUSE_MS = 600;
const MAX_REWORDINGS = 20;

interface EarlierQuestionsFieldProps {
  twinId: string;
  /** Whether the form does not yet say that the correction will be published. */
  conditional: boolean;
  question: string;
  rewordings: readonly string[];
  onChange: (rewordings: string[]) => void;
}

export function EarlierQuestionsField({
  twinId,
  conditional,
  question,
  rewordings,
  onChange,
}: EarlierQuestionsFieldProps) {
  const settled = useSettled(question.trim());
  const preview = useCorrectionPreview(twinId, settled, rewordings);
  const { caught = [], missed = [] } = preview.data ?? {};
  const marked = (text: string, on: boolean) =>
    onChange(on ? [...rewordings, text] : rewordings.filter((one) => one !== text));
  const offered = rewordings.length < MAX_REWORDINGS ? missed : [];
  return (
    <section aria-label="Прежние вопросы" className="flex flex-col gap-3 rounded-md border bg-sunken p-3 text-md">
      {conditional && <p className="font-medium">Если ответ будет для всех</p>}
      <p role="status" className="text-muted text-sm">
        {preview.isPending
          ? "Смотрим, о чём уже спрашивали…"
          : preview.isError
            ? `Не удалось посмотреть прежние вопросы. ${messageOf(preview.error)}`
            : caught.length + missed.length + rewordings.length === 0
              ? "Других похожих вопросов ещё не задавали."
              : preview.data.byEmbedding
                ? "Среди прежних вопросов нашлись похожие — по словам и по смыслу."
                : "Среди прежних вопросов нашлись похожие по словам."}
      </p>
      {preview.isError && (
        <Button size="sm" className="self-start" onClick={() => void preview.refetch()}>
          Попробовать ещё раз
        </Button>
      )}
      {caught.length > 0 && (
        <div>
          <h3 className="font-medium">На эти двойник ответит так же</h3>
          <ul className="mt-1 flex list-disc flex-col gap-1 ps-5 text-muted">
            {caught.map((text) => (
              <li key={text} className="break-words">
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {rewordings.length + offered.length > 0 && (
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="mb-1 font-medium">На эти — нет. Отметьте те, что о том же</legend>
          {[...rewordings, ...offered].map((text) => (
            <Checkbox
              key={text}
              checked={rewordings.includes(text)}
              onChange={({ target }) => marked(text, target.checked)}
            >
              <span className="min-w-0 break-words">{text}</span>
            </Checkbox>
          ))}
        </fieldset>
      )}
    </section>
  );
}

/** Returns the value once it has not changed for `TYPING_PAUSE_MS`. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const clock = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(clock);
  }, [value]);
  return settled;
}
