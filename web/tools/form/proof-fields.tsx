import { Plus, X } from "lucide-react";
import { useId } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { ChoiceRows } from "./choice-rows.tsx";
import { ChoiceError, errorAt, type ToolFormState, useRows } from "./form-parts.tsx";
import { optionsOf } from "./table-source.tsx";

const MAX_ASKED = 3;

const SCOPES = [
  {
    value: "asker",
    name: "Это касается того, кто спросил",
    about: "Заказ, запись, баланс: собеседник подтверждает, что это о\u00a0нём. Сверяет программа, а не модель.",
  },
  {
    value: "everybody",
    name: "Это для всех",
    about: "Остатки, цены, свободное время: подтверждать нечего.",
  },
] as const;

interface ProofFieldsProps {
  form: ToolFormState;
  /** Columns of the table; null: places of an answer, which are typed. */
  columns: readonly string[] | null;
  columnNames: Readonly<Record<string, string>> | undefined;
  /** Places of the last answer, which are proposed while one is typed. */
  places: readonly string[];
}

export function ProofFields({ form, columns, columnNames, places }: ProofFieldsProps) {
  const { watch, setValue, register, clearErrors } = form;
  const scope = watch("scope");
  const { rows: asked, append, remove } = useRows(form, "asked");
  const list = useId();
  const source = (name: "channelPhone" | `asked.${number}.source`, placeholder: string) =>
    columns === null ? (
      <Input list={list} autoComplete="off" spellCheck={false} placeholder="order.phone" {...register(name)} />
    ) : (
      // Controlled, because a guess may name a column whose option is not rendered yet.
      <Select placeholder={placeholder} {...register(name)} value={watch(name)}>
        {optionsOf(columns, columnNames)}
      </Select>
    );
  const where = columns === null ? "Где это в\u00a0ответе" : "Столбец";
  return (
    <div className="flex flex-col gap-5">
      <ChoiceRows
        legend="Кого касается результат"
        name="scope"
        choices={SCOPES}
        value={scope}
        onChange={(next) => {
          setValue("scope", next, { shouldDirty: true });
          clearErrors("scope");
        }}
      />
      <ChoiceError message={errorAt(form, "scope")} />
      {scope === "asker" && (
        <>
          <Field
            label={columns === null ? "Телефон собеседника в ответе" : "Столбец с телефоном собеседника"}
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
                <Field label={where} required error={errorAt(form, `asked.${at}.source`)}>
                  {source(`asked.${at}.source`, "Выберите столбец")}
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
                onClick={() => {
                  append({ label: "", source: "", compare: "last4" });
                  clearErrors("scope");
                }}
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
      <datalist id={list}>
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
    </div>
  );
}
