import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import type { ToolFormState } from "./form-parts.tsx";

/** What changes something is never called without its owner. */
export function ChangesField({ form }: { form: ToolFormState }) {
  return (
    <Checkbox
      {...form.register("changes", {
        onChange: ({ target }) => {
          if (target.checked && form.getValues("degree") === "itself")
            form.setValue("degree", "asks", { shouldDirty: true });
        },
      })}
    >
      Вызов что-то меняет
      <span className="block text-sm text-subtle">
        Создаёт запись, отменяет заказ, меняет адрес. Такое двойник сначала уточнит у&nbsp;собеседника, потом спросит
        вас
      </span>
    </Checkbox>
  );
}
