import type { ReactNode } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { TwinEditForm } from "#contract/twins.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface TwinFieldsProps {
  /** Type of the edit form; the create form has the same fields, all required. */
  register: UseFormRegister<TwinEditForm>;
  errors: FieldErrors<TwinEditForm>;
  knowledgeAreaRequired?: boolean;
  /** Whether the twin has a public name, so that its field is expanded. */
  named?: boolean;
  /** Content between the description and the fields that can be derived from it. */
  afterDescription?: ReactNode;
}

export function TwinFields({
  register,
  errors,
  knowledgeAreaRequired = false,
  named = false,
  afterDescription,
}: TwinFieldsProps) {
  return (
    <>
      <Field label="Имя двойника" required error={errors.name?.message}>
        <Input placeholder="Например, Анна Петрова" autoComplete="off" {...register("name")} />
      </Field>
      <Field
        label="Описание"
        required
        error={errors.description?.message}
        hint="Кому и в чём помогает двойник, от 10 символов"
      >
        <Textarea
          rows={3}
          placeholder="Отвечает клиентам чайной лавки: цены, доставка, советы по выбору"
          {...register("description")}
        />
      </Field>
      {afterDescription}
      <Field
        label="Личность"
        required
        error={errors.personality?.message}
        hint="Характер, опыт, отношение к людям, от 20 символов"
      >
        <Textarea
          rows={4}
          placeholder="Спокойный и внимательный, шутит к месту, не обещает того, в чём не уверен"
          {...register("personality")}
        />
      </Field>
      <Field
        label="Стиль общения"
        required
        error={errors.communicationStyle?.message}
        hint="Как двойник пишет: длина, обращение, привычные слова"
      >
        <Textarea
          rows={3}
          placeholder="Коротко, на «вы», без официальных оборотов"
          {...register("communicationStyle")}
        />
      </Field>
      <Field
        label="Область знаний"
        required={knowledgeAreaRequired}
        error={errors.knowledgeArea?.message}
        hint="О чём двойника будут спрашивать"
      >
        <Textarea rows={2} placeholder="Чай, кофе, доставка по России" {...register("knowledgeArea")} />
      </Field>
      <details open={named || errors.publicName !== undefined} className="rounded-md border px-4 py-3">
        <summary className="cursor-pointer font-medium text-md">Дополнительно</summary>
        <div className="mt-4 mb-1">
          <Field
            label="Публичное имя"
            error={errors.publicName?.message}
            hint="Так двойник называет себя покупателям: на сайте, в мессенджерах и письмах. Пусто — имя двойника"
          >
            <Input placeholder="Например, Чайная лавка" autoComplete="off" {...register("publicName")} />
          </Field>
        </div>
      </details>
    </>
  );
}
