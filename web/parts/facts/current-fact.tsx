import { useId } from "react";
import type { ChatFact, FactVariant } from "#contract/knowledge/chat-facts.ts";
import { Button } from "#web/ui/button.tsx";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { FactForm } from "./fact-form.tsx";
import { saidInWords } from "./fact-words.ts";
import { LetterLink } from "./letter-link.tsx";
import { MaskedText } from "./masked-text.tsx";

interface CurrentFactProps {
  twinId: string;
  fact: ChatFact;
  chosen: FactVariant;
  onChoose: (id: string) => void;
  editing: boolean;
  busy: boolean;
  primary: boolean;
  onEdit: (editing: boolean) => void;
  onConfirm: (question: string, text: string) => void;
  onReject: () => void;
}

/** The current fact, to which shortcut keys apply: question, answer, contradicting answers and the buttons to decide. */
export function CurrentFact(props: CurrentFactProps) {
  const { twinId, fact, chosen, onChoose, editing, busy, primary, onEdit, onConfirm, onReject } = props;
  const { question, variants, current } = fact;
  const note = useId();
  if (editing) {
    return (
      <FactForm
        key={chosen.id}
        question={question}
        text={chosen.reply}
        busy={busy}
        onConfirm={onConfirm}
        onCancel={() => onEdit(false)}
      />
    );
  }
  return (
    <>
      <p className="whitespace-pre-line text-md text-muted">
        <MaskedText text={question} />
      </p>
      {variants.length === 1 ? (
        <>
          <p className="mt-1 whitespace-pre-line text-base">
            <MaskedText text={chosen.reply} />
          </p>
          <p className="mt-1 text-sm text-subtle">{saidInWords(chosen)}</p>
          <LetterLink twinId={twinId} variant={chosen} />
        </>
      ) : (
        <Variants twinId={twinId} question={question} variants={variants} chosen={chosen} onChoose={onChoose} />
      )}
      {current !== null && (
        <p className="mt-3 max-w-measure rounded-md bg-sunken p-3 text-md">
          <span className="block text-sm text-subtle">Сейчас двойник отвечает</span>
          {current}
        </p>
      )}
      <p id={note} className="mt-4 text-muted text-sm">
        Подтверждённое двойник скажет всем, кто спросит похожее.
      </p>
      <div className="mt-2 grid grid-cols-2 gap-2 sm:flex">
        <Button
          aria-describedby={note}
          variant={primary ? "primary" : "outline"}
          className="max-sm:col-span-2"
          disabled={busy}
          onClick={() => onConfirm(question, chosen.reply)}
        >
          Подтвердить
          <KeyHint>Y</KeyHint>
        </Button>
        <Button disabled={busy} onClick={() => onEdit(true)}>
          Изменить
          <KeyHint>E</KeyHint>
        </Button>
        <Button disabled={busy} onClick={onReject}>
          Отклонить
          <KeyHint>N</KeyHint>
        </Button>
      </div>
    </>
  );
}

/** Contradicting values, the newest first, of which one is true now. */
function Variants({
  twinId,
  question,
  variants,
  chosen,
  onChoose,
}: Pick<CurrentFactProps, "twinId" | "chosen" | "onChoose"> & Pick<ChatFact, "question" | "variants">) {
  return (
    <fieldset className="mt-2">
      <legend className="text-sm text-subtle">Вы отвечали по-разному. Что верно сейчас?</legend>
      <ul className="mt-2 flex flex-col gap-2">
        {variants.map((variant, place) => (
          <li key={variant.id}>
            <label className="flex max-w-measure cursor-pointer items-start gap-3 rounded-md border p-3 has-checked:border-primary has-checked:bg-primary-soft">
              <input
                type="radio"
                name={question}
                className="mt-1 accent-primary"
                checked={variant.id === chosen.id}
                onChange={() => onChoose(variant.id)}
              />
              <span className="min-w-0">
                <span className="block whitespace-pre-line text-base">
                  <MaskedText text={variant.reply} />
                </span>
                <span className="block text-muted text-sm">{saidInWords(variant)}</span>
              </span>
              <kbd aria-hidden className="ms-auto hidden font-sans text-sm text-subtle md:inline">
                {place + 1}
              </kbd>
            </label>
            <LetterLink twinId={twinId} variant={variant} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
