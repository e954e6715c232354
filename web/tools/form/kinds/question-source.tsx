import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { errorAt, type ToolFormState } from "../form-parts.tsx";
import { FieldRows } from "../http-request.tsx";

/** What the owner is asked, of the fields that the asker names. */
export function QuestionSource({ form }: { form: ToolFormState }) {
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Вопрос к вам"
        required
        error={errorAt(form, "question")}
        hint="Поля из разговора стоят в фигурных скобках: «Есть ли {item} на {date}?». Вы ответите своими словами, собеседник получит их без изменений"
      >
        <Textarea rows={2} maxLength={300} placeholder="Есть ли {item} на {date}?" {...form.register("question")} />
      </Field>
      <FieldRows form={form} inQuestion />
    </div>
  );
}
