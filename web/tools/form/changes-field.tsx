import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { ChoiceError, errorAt, type ToolFormState } from "./form-parts.tsx";

/** Says in the form that a call changes something, which is never done without its owner. */
export function setChanging(form: ToolFormState) {
  form.setValue("changes", true, { shouldDirty: true });
  form.setValue("readsOnly", false, { shouldDirty: true });
  if (form.getValues("degree") === "itself") form.setValue("degree", "asks", { shouldDirty: true });
}

/** @param always whether it changes something whatever its owner says */
export function ChangesField({ form, always = false }: { form: ToolFormState; always?: boolean }) {
  const field = form.register("changes", {
    onChange: ({ target }) => {
      if (target.checked) setChanging(form);
    },
  });
  return (
    <Checkbox key={String(always)} {...(always ? { checked: true, disabled: true, readOnly: true } : field)}>
      Вызов что-то меняет
      <span className="block text-sm text-subtle">
        Создаёт запись, отменяет заказ, меняет адрес. Такое двойник сначала уточнит у&nbsp;собеседника, потом спросит
        вас
      </span>
    </Checkbox>
  );
}

/** A system that is searched by POST: only its owner knows it. */
export function ReadsOnlyField({ form }: { form: ToolFormState }) {
  const error = errorAt(form, "readsOnly");
  return (
    <div className="flex flex-col gap-1">
      <Checkbox {...form.register("readsOnly")} aria-invalid={error !== undefined}>
        Этот вызов только читает, хотя он не&nbsp;GET
        <span className="block text-sm text-subtle">
          Например, поиск. Проверка и&nbsp;проверочный разговор будут вызывать его по-настоящему
        </span>
      </Checkbox>
      <ChoiceError message={error} />
    </div>
  );
}
