import { Check } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { ChoiceError, errorAt, type ToolFormState, useRows } from "../form-parts.tsx";
import { russian } from "../program-names.ts";
import { below, placesOf } from "./answer-places.ts";

/** Places that a tool may show. */
const MAX_SHOWN = 30;

interface AnswerTreeProps {
  form: ToolFormState;
  answer: string;
  /** Whether it may be chosen from; what went wrong may not. */
  canPick: boolean;
}

/** A system's answer, in which a press chooses what is reported; the text itself where there is nothing to choose. */
export function AnswerTree({ form, answer, canPick }: AnswerTreeProps) {
  const { watch, setValue } = form;
  const [root, chosen] = watch(["resultPath", "places"]);
  const places = canPick ? placesOf(answer) : null;
  if (places === null || places.length === 0)
    return (
      <ScrollRegion aria-label="Ответ системы" className="max-h-80 rounded-md bg-sunken p-3">
        <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">{answer}</pre>
      </ScrollRegion>
    );

  function toggle(path: string, key: string) {
    const next = chosen.some((one) => one.path === path)
      ? chosen.filter((one) => one.path !== path)
      : [...chosen, { path, label: russian(key) }].slice(0, MAX_SHOWN);
    setValue("places", next, { shouldDirty: true });
  }

  return (
    <>
      <p className="text-muted text-sm">Нажмите на&nbsp;то, что нужно сообщить собеседнику.</p>
      <ul aria-label="Ответ системы" className="max-h-80 overflow-y-auto rounded-md bg-sunken p-3 font-mono text-sm">
        {places.map(({ path, depth, key, value }) => {
          const inResult = below(path, root);
          const isChosen = inResult !== null && chosen.some((one) => one.path === inResult);
          return (
            <li key={path} style={{ paddingInlineStart: `${depth}rem` }}>
              {value === null ? (
                <span className="inline-flex flex-wrap items-center gap-x-2">
                  <span className="text-muted">{key}:</span>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-pressed={path === root}
                    aria-label={`${path === root ? "Результат здесь" : "Взять отсюда"}: ${path}`}
                    onClick={() => {
                      setValue("resultPath", path === root ? "" : path, { shouldDirty: true });
                      setValue("places", [], { shouldDirty: true });
                    }}
                  >
                    {path === root ? "Результат здесь" : "Взять отсюда"}
                  </Button>
                </span>
              ) : (
                <button
                  type="button"
                  disabled={inResult === null}
                  aria-pressed={isChosen}
                  onClick={() => inResult !== null && toggle(inResult, key)}
                  className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-sm text-start hover:bg-hover disabled:cursor-not-allowed disabled:text-muted aria-pressed:bg-hover pointer-coarse:min-h-control"
                >
                  <Check aria-hidden className={isChosen ? "icon text-primary-text" : "icon opacity-0"} />
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    <span className="text-muted">{key}:</span> {value}
                  </span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What was chosen of the answer, with the names that people read; it can also be typed without an answer. */
export function ChosenPlaces({ form }: { form: ToolFormState }) {
  const { register } = form;
  const { rows, remove } = useRows(form, "places");
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 && (
        <Checkbox {...register("reportsAll")}>
          Сообщать всё
          <span className="block text-sm text-subtle">
            Собеседник узнает каждое значение ответа под именем, которое дала ему система
          </span>
        </Checkbox>
      )}
      <ChoiceError message={errorAt(form, "places")} />
      {rows.length > 0 && (
        <section aria-labelledby="chosen-places" className="flex flex-col gap-3">
          <h3 id="chosen-places" className="font-medium text-md">
            Что сообщать
          </h3>
          <p className="text-muted text-sm">Назовите по-русски: эти названия прочтёт собеседник</p>
          {rows.map(({ path }, at) => (
            <div key={path} className="flex items-end gap-2">
              <Field
                label={`Название для ${path}`}
                required
                className="flex-1"
                error={errorAt(form, `places.${at}.label`)}
              >
                <Input autoComplete="off" maxLength={60} {...register(`places.${at}.label`)} />
              </Field>
              <Button variant="ghost" aria-label={`Убрать: ${path}`} onClick={() => remove(at)}>
                Убрать
              </Button>
            </div>
          ))}
        </section>
      )}
      <details>
        <summary className="w-fit cursor-pointer py-1 font-medium text-md">Указать путь вручную</summary>
        <div className="mt-2 flex flex-col gap-3">
          <Field
            label="Где в ответе стоит результат"
            error={errorAt(form, "resultPath")}
            hint="Ключи через точку: data.order. Пусто — весь ответ"
          >
            <Input autoComplete="off" spellCheck={false} placeholder="data.order" {...register("resultPath")} />
          </Field>
        </div>
      </details>
    </div>
  );
}
