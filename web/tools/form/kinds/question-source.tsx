import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { errorAt, type ToolFormState } from "../form-parts.tsx";
import { withNamedFields } from "../named-fields.ts";
import { FieldRows } from "./http-request.tsx";

/** What the owner is asked, of the fields that the asker names. */
export function QuestionSource({ form }: { form: ToolFormState }) {
  function addNamedFields() {
    const { question, fields } = form.getValues();
    const next = withNamedFields(question, fields);
    if (next !== fields) form.setValue("fields", next, { shouldDirty: true });
  }

  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Вопрос к вам"
        required
        error={errorAt(form, "question")}
        hint="Что назовёт собеседник, стоит в фигурных скобках: «Есть ли {товар} на {день}?». Поля добавятся сами. Вы ответите своими словами, собеседник получит их без изменений"
      >
        <Textarea
          rows={2}
          maxLength={300}
          placeholder="Есть ли {товар} на {день}?"
          {...form.register("question", { onBlur: addNamedFields })}
        />
      </Field>
      <FieldRows form={form} inQuestion />
    </div>
  );
}
