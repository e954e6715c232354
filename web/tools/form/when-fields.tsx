import { shownForm } from "#contract/actions/example-slot.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Taken } from "../taken.tsx";
import { errorAt, type ToolFormState } from "./form-parts.tsx";
import { mayChange, type ToolKind } from "./form-values.ts";
import { formWordsOf } from "./kinds/kind-words.ts";

interface WhenFieldsProps {
  form: ToolFormState;
  kind: ToolKind;
  /** Label of the one field that an example can fill; "": nothing is needed; null: several are. */
  slot: string | null;
  /** See `Tool.taken`, as it was saved. */
  taken: Tool["taken"];
}

/** What the tool is called, what it is for, and the messages that ask for it. */
export function WhenFields({ form, kind, slot, taken }: WhenFieldsProps) {
  const { register, watch } = form;
  const [examples, changes] = watch(["examples", "changes"]);
  const words = formWordsOf(kind, mayChange(kind) && changes);
  return (
    <div className="flex flex-col gap-5">
      <Field label="Название" required error={errorAt(form, "title")} hint={`Например, «${words.title}»`}>
        <Input autoComplete="off" maxLength={80} {...register("title")} />
      </Field>
      <Field
        label="Для чего оно"
        error={errorAt(form, "description")}
        hint={`Одной фразой: «${words.purpose}». По ней модель выбирает действие`}
      >
        <Textarea rows={2} maxLength={500} {...register("description")} />
      </Field>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-1.5 font-medium text-md">Как об этом спрашивают</legend>
        {examples.map((example, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the examples keep their places
          <div key={at} className="flex flex-col gap-1">
            <Input
              aria-label={`Пример ${at + 1}`}
              autoComplete="off"
              maxLength={200}
              placeholder={words.examples[at]}
              {...register(`examples.${at}`)}
            />
            {example.trim() !== "" && slot !== null && slot !== "" && (
              <Recognised example={example} slot={slot} changes={changes} />
            )}
            <Taken taken={taken.filter((one) => one.example === example.trim())} />
          </div>
        ))}
        <p className="text-muted text-sm">
          {slot === null
            ? "С\u00a0моделью двойник поймёт и\u00a0другие слова. Без модели он вызывает действие, которому нужно не\u00a0больше одного поля, а\u00a0этому нужно несколько."
            : "По\u00a0примерам двойник узнаёт вопрос и\u00a0без модели, в\u00a0других падежах и\u00a0с\u00a0другим номером. С\u00a0моделью он поймёт и\u00a0другие слова."}
        </p>
      </fieldset>
    </div>
  );
}

/** «Узнаем: где мой заказ [номер заказа]», as it is typed. */
function Recognised({ example, slot, changes }: { example: string; slot: string; changes: boolean }) {
  const form = shownForm(example.trim(), slot);
  return (
    <p className="text-muted text-sm [overflow-wrap:anywhere]">
      {form === example.trim() ? (
        changes ? (
          <>Номера здесь нет: без модели двойник не&nbsp;узнает это действие</>
        ) : (
          <>Номера здесь нет: двойник сначала спросит «{slot}»</>
        )
      ) : (
        <>
          Узнаем: <span className="text-fg">{form}</span>
        </>
      )}
    </p>
  );
}
