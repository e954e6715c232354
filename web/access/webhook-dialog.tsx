import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { type Webhook, type WebhookEvent, WebhookInput } from "#contract/integrations/webhooks.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { CopyBlock } from "./copy-block.tsx";
import { useWebhookActs } from "./webhook-queries.ts";

const eventNames: Record<WebhookEvent, string> = {
  "message.received": "Собеседник написал",
  "reply.sent": "Ответ отправлен",
  "draft.created": "Черновик ждёт одобрения",
  "takeover.started": "Диалог ведёте вы",
};

interface WebhookDialogProps {
  twinId: string;
  webhook?: Webhook;
  onClose: () => void;
}

/** The form of a webhook; for a new one it then shows the secret for the only time. */
export default function WebhookDialog({ twinId, webhook, onClose }: WebhookDialogProps) {
  const { save } = useWebhookActs(twinId);
  const [secret, setSecret] = useState<string>();
  const { register, handleSubmit, formState } = useForm<WebhookInput>({
    resolver: standardSchemaResolver(WebhookInput),
    defaultValues: webhook ?? {
      url: "",
      events: ["message.received", "reply.sent"],
      includeTexts: false,
      enabled: true,
    },
  });
  const { errors } = formState;
  const submit = handleSubmit((input) =>
    save.mutate(
      { ...input, ...(webhook && { id: webhook.id }) },
      { onSuccess: (made) => (made === undefined ? onClose() : setSecret(made)) },
    ),
  );
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={webhook ? "Вебхук" : "Новый вебхук"}
        description="О событиях двойника мы сообщаем на ваш адрес запросом POST с подписью."
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Адрес" required error={errors.url?.message} hint="Публичный, по https">
            <Input inputMode="url" placeholder="https://example.ru/hooks" autoComplete="off" {...register("url")} />
          </Field>
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1.5 font-medium text-md">О чём сообщать</legend>
            {Object.entries(eventNames).map(([event, name]) => (
              <Checkbox key={event} value={event} {...register("events")}>
                {name} <code className="font-mono text-sm text-subtle">{event}</code>
              </Checkbox>
            ))}
            {errors.events && (
              <p role="alert" className="text-danger-text text-sm">
                {errors.events.message}
              </p>
            )}
          </fieldset>
          <Checkbox {...register("includeTexts")}>
            Передавать имена и тексты
            <span className="block text-sm text-subtle">
              Без этого адрес узнаёт только, в каком диалоге что произошло
            </span>
          </Checkbox>
          <Checkbox {...register("enabled")}>Вебхук включён</Checkbox>
          <FormError error={save.error} />
          <SubmitFooter label="Сохранить" busyLabel="Сохранение..." busy={save.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Секрет подписи"
        description="Скопируйте его сейчас: больше мы его не покажем. Им получатель проверяет, что запрос от нас (Standard Webhooks)."
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <CopyBlock label="Секрет" text={secret} />
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="primary">Секрет сохранён</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
