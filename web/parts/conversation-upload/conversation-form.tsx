import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { clsx } from "clsx";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { classifyPastedLines } from "#contract/conversations/pasted-lines.ts";
import { ConversationForm as ConversationFormSchema, ConversationUpload } from "#contract/knowledge/knowledge.ts";
import { type TwinChoice, TwinField } from "#web/parts/twins/twin-field.tsx";
import { useFormDraft } from "#web/session/form-draft.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { conversationPlatforms } from "./conversation-option-names.ts";
import { ConversationPreview } from "./conversation-preview.tsx";
import { useUploadConversation } from "./queries.ts";

// A select holds "" while nothing is chosen; the schema rejects it with a message.
const empty = {
  digitalTwinId: "",
  participantName: "",
  platform: "" as ConversationFormSchema["platform"],
  chatHistory: "",
};
const resolver = standardSchemaResolver(ConversationFormSchema);

interface ConversationFormProps extends TwinChoice {
  /** Set when the form is inside another card for the given twin; holds the initial platform. */
  within?: { platform: ConversationFormSchema["platform"] };
}

export function ConversationForm({ twins, twinId, onTwin, readOnly, within }: ConversationFormProps) {
  const blank = { ...empty, ...within };
  const form = useForm<ConversationFormSchema>({ defaultValues: blank, resolver });
  const { drop: clearDraft } = useFormDraft(form, within ? `conversation-${within.platform}` : "train-conversation");
  const upload = useUploadConversation();
  const { errors, isSubmitted } = form.formState;
  const { setValue } = form;
  useEffect(() => setValue("digitalTwinId", twinId, { shouldValidate: isSubmitted }), [setValue, twinId, isSubmitted]);

  const send = useSingleFlight(async (values: ConversationFormSchema) => {
    const conversation = ConversationUpload.safeParse(uploadOf(values));
    if (!conversation.success) {
      form.setError(
        "chatHistory",
        { message: conversation.error.issues[0]?.message ?? "Проверьте переписку" },
        { shouldFocus: true },
      );
      return;
    }
    try {
      await upload.mutateAsync(conversation.data);
    } catch {
      return; // The toast has reported the failure; pasted text stays.
    }
    form.reset({ ...blank, digitalTwinId: twinId });
    clearDraft();
  });
  const submit = form.handleSubmit(send);

  const fields = (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <ReadOnly reason={readOnly}>
        {/* By the width of the form, which a panel beside it makes narrow on a desktop. */}
        <div className="@container">
          <div className={clsx("grid grid-cols-1 gap-5", within ? "@sm:grid-cols-2" : "@xl:grid-cols-3")}>
            {!within && (
              <TwinField
                twins={twins}
                error={errors.digitalTwinId?.message}
                {...form.register("digitalTwinId", { onChange: (event) => onTwin(event.target.value) })}
              />
            )}
            <Field label="Имя участника" required error={errors.participantName?.message} hint="С кем вы говорили">
              <Input placeholder="Анна" autoComplete="off" {...form.register("participantName")} />
            </Field>
            <Field label="Платформа" required error={errors.platform?.message}>
              <Select placeholder="Не выбрана" {...form.register("platform")}>
                {conversationPlatforms.map(({ platform, name }) => (
                  <option key={platform} value={platform}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
        </div>
        <Field
          label="История переписки"
          required
          error={errors.chatHistory?.message}
          hint="Каждая реплика — с новой строки; свои начинайте с «Вы:». Минимум 100 символов"
        >
          <Textarea
            className="min-h-56!"
            placeholder={"Анна: Добрый день! Заказ уже отправили?\nВы: Здравствуйте, да, вчера вечером"}
            {...form.register("chatHistory")}
          />
        </Field>
        <ConversationPreview control={form.control} />
        <p className="max-w-measure text-muted text-sm">
          Двойник учится только на&nbsp;ваших репликах; чужие хранятся, но&nbsp;не&nbsp;показываются другим людям.
          За&nbsp;право использовать переписку отвечаете вы.
        </p>
        <Button type="submit" variant="primary" className="self-start max-sm:w-full" busy={upload.isPending}>
          {upload.isPending ? "Загрузка..." : "Загрузить переписку"}
        </Button>
      </ReadOnly>
    </form>
  );
  if (within) return fields;
  return (
    <Card aria-labelledby="conversation-form">
      <CardHeader
        id="conversation-form"
        title="Вставить переписку"
        lead
        description="По вашим репликам двойник учится говорить как вы."
      />
      <CardBody>{fields}</CardBody>
    </Card>
  );
}

/** A pasted text has no time zone, so each line is sent with the current one. */
function uploadOf({ digitalTwinId, platform, participantName, chatHistory }: ConversationFormSchema) {
  const timestamp = new Date().toISOString();
  const messages = classifyPastedLines(chatHistory).map(({ content, role }) => ({ content, role, timestamp }));
  return { digitalTwinId, platform, messages, participants: [participantName] };
}
