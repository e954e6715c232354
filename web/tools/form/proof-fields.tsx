import { Plus, X } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import type { AnswerPlace } from "./answer/answer-places.ts";
import { ChoiceRows } from "./choice-rows.tsx";
import { ChoiceError, errorAt, type ToolFormState, useRows } from "./form-parts.tsx";
import type { ToolKind } from "./form-values.ts";
import { formWordsOf } from "./kinds/kind-words.ts";
import { optionsOf } from "./table-source.tsx";

const MAX_ASKED = 3;

const scopesOf = (everybody: string) =>
  [
    {
      value: "asker",
      name: "Это касается того, кто спросил",
      about: "Собеседник подтверждает, что это о\u00a0нём. Сверяет программа, а не модель.",
    },
    { value: "everybody", name: "Это для всех", about: everybody },
  ] as const;

/** Characters of a value that stand beside its place. */
const VALUE_SHOWN = 40;

interface ProofFieldsProps {
  form: ToolFormState;
  kind: ToolKind;
  /** Columns of the table; null: places of an answer, which are typed. */
  columns: readonly string[] | null;
  columnNames: Readonly<Record<string, string>> | undefined;
  /** Values of the last answer, which are chosen from; empty: none came yet, so that a place is typed. */
  places: readonly Pick<AnswerPlace, "path" | "value">[];
}

export function ProofFields({ form, kind, columns, columnNames, places }: ProofFieldsProps) {
  const { watch, setValue, register } = form;
  const scope = watch("scope");
  const { rows: asked, append, remove } = useRows(form, "asked");
  const words = formWordsOf(kind, false);
  const source = (name: "channelPhone" | `asked.${number}.source`, placeholder: string) =>
    columns === null && places.length === 0 ? (
      <Input autoComplete="off" spellCheck={false} placeholder="order.phone" {...register(name)} />
    ) : (
      // Controlled, because a guess may name a column whose option is not rendered yet.
      <Select placeholder={placeholder} {...register(name)} value={watch(name)}>
        {name === "channelPhone" && watch(name) !== "" && <option value="">{placeholder}</option>}
        {columns === null ? placeOptions(places, watch(name)) : optionsOf(columns, columnNames)}
      </Select>
    );
  return (
    <div className="flex flex-col gap-5">
      <ChoiceRows
        legend="Кого касается результат"
        name="scope"
        choices={scopesOf(words.everybody)}
        value={scope}
        onChange={(next) => setValue("scope", next, { shouldDirty: true })}
      />
      <ChoiceError message={errorAt(form, "scope")} />
      {scope === "asker" && (
        <>
          <Field
            label={words.phone}
            error={errorAt(form, "channelPhone")}
            hint="Если собеседник пишет из WhatsApp, его номер сверяется сам, и спрашивать ничего не нужно"
          >
            {source("channelPhone", "Не сверять")}
          </Field>
          <div className="flex flex-col gap-3">
            <p className="font-medium text-md">Что спросить у&nbsp;остальных</p>
            {asked.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the inputs are registered by their places
              <fieldset key={at} className="grid min-w-0 gap-3 rounded-lg border p-4 sm:grid-cols-2">
                <legend className="sr-only">Вопрос {at + 1}</legend>
                <Field
                  label="Что назвать"
                  required
                  className="sm:col-span-2"
                  error={errorAt(form, `asked.${at}.label`)}
                  hint="Как двойник это спросит: «Последние 4 цифры телефона»"
                >
                  <Input autoComplete="off" maxLength={60} {...register(`asked.${at}.label`)} />
                </Field>
                <Field label={words.source} required error={errorAt(form, `asked.${at}.source`)}>
                  {source(`asked.${at}.source`, words.chooseSource)}
                </Field>
                <Field label="Как сверить" error={errorAt(form, `asked.${at}.compare`)}>
                  <Select {...register(`asked.${at}.compare`)}>
                    <option value="last4">Последние 4 цифры</option>
                    <option value="phone">Телефон целиком</option>
                    <option value="exact">Тот же текст</option>
                  </Select>
                </Field>
                <Button
                  variant="ghost"
                  size="sm"
                  className="justify-self-start"
                  aria-label={`Убрать вопрос ${at + 1}`}
                  onClick={() => remove(at)}
                >
                  <X aria-hidden className="icon" />
                  Убрать
                </Button>
              </fieldset>
            ))}
            {asked.length < MAX_ASKED && (
              <Button
                size="sm"
                className="self-start"
                onClick={() => append({ label: "", source: "", compare: "last4" })}
              >
                <Plus aria-hidden className="icon" />
                Добавить вопрос
              </Button>
            )}
            {asked.length > 1 && (
              <p className="text-muted text-sm">Собеседник должен верно назвать всё перечисленное.</p>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Each place with its value, and the one that is chosen though the answer has it no longer. */
function placeOptions(places: ProofFieldsProps["places"], chosen: string) {
  const isGone = chosen !== "" && !places.some(({ path }) => path === chosen);
  return (
    <>
      {isGone && <option value={chosen}>{chosen}</option>}
      {places.map(({ path, value }) => (
        <option key={path} value={path}>
          {`${path}: ${(value ?? "").slice(0, VALUE_SHOWN)}`}
        </option>
      ))}
    </>
  );
}
