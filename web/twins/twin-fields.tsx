import type { ReactNode } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { TwinEditForm, TwinPurpose } from "#contract/twins.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

/** Placeholders; each is an answer that fits the purpose. */
const EXAMPLES: Record<TwinPurpose, Record<Exclude<keyof TwinEditForm, "name" | "purpose">, string>> = {
  business: {
    description: "Отвечает клиентам чайной лавки: цены, доставка, советы по выбору",
    personality: "Спокойный и внимательный, шутит к месту, не обещает того, в чём не уверен",
    communicationStyle: "Коротко, на «вы», без официальных оборотов",
    knowledgeArea: "Чай, кофе, доставка по России",
    publicName: "Например, Чайная лавка",
  },
  friends: {
    description: "Отвечает друзьям, пока меня нет: встречи, походы, что посмотреть",
    personality: "Лёгкий и отзывчивый, любит пошутить, за меня ничего не обещает",
    communicationStyle: "Коротко, на «ты», простыми словами",
    knowledgeArea: "Кино, походы, готовка, моя собака",
    publicName: "Например, Аня",
  },
};

interface TwinFieldsProps {
  /** Type of the edit form; the create form has the same fields, all required. */
  register: UseFormRegister<TwinEditForm>;
  errors: FieldErrors<TwinEditForm>;
  /** What the twin is for, which the examples in empty fields follow. */
  purpose: TwinPurpose;
  knowledgeAreaRequired?: boolean;
  /** Whether the twin has a public name, so that its field is expanded. */
  named?: boolean;
  /** Content between the description and the fields that can be derived from it. */
  afterDescription?: ReactNode;
}

export function TwinFields({
  register,
  errors,
  purpose,
  knowledgeAreaRequired = false,
  named = false,
  afterDescription,
}: TwinFieldsProps) {
  const examples = EXAMPLES[purpose];
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
        <Textarea rows={3} placeholder={examples.description} {...register("description")} />
      </Field>
      {afterDescription}
      <Field
        label="Личность"
        required
        error={errors.personality?.message}
        hint="Характер, опыт, отношение к людям, от 20 символов"
      >
        <Textarea rows={4} placeholder={examples.personality} {...register("personality")} />
      </Field>
      <Field
        label="Стиль общения"
        required
        error={errors.communicationStyle?.message}
        hint="Как двойник пишет: длина, обращение, привычные слова"
      >
        <Textarea rows={3} placeholder={examples.communicationStyle} {...register("communicationStyle")} />
      </Field>
      <Field
        label="Область знаний"
        required={knowledgeAreaRequired}
        error={errors.knowledgeArea?.message}
        hint="О чём двойника будут спрашивать"
      >
        <Textarea rows={2} placeholder={examples.knowledgeArea} {...register("knowledgeArea")} />
      </Field>
      <details open={named || errors.publicName !== undefined} className="rounded-md border px-4 py-3">
        <summary className="cursor-pointer font-medium text-md">Дополнительно</summary>
        <div className="mt-4 mb-1">
          <Field
            label="Публичное имя"
            error={errors.publicName?.message}
            hint="Так двойник называет себя собеседникам: на сайте, в мессенджерах и письмах. Пусто — имя двойника"
          >
            <Input placeholder={examples.publicName} autoComplete="off" {...register("publicName")} />
          </Field>
        </div>
      </details>
    </>
  );
}
