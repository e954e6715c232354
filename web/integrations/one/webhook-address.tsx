import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import type { ShownIntegration } from "../shown-integration.ts";

const WEBHOOK_HINTS: Record<string, string> = {
  whatsapp:
    "Укажите в кабинете Meta: WhatsApp → Configuration → Webhook, и подпишитесь на поле messages. Если номер остался в приложении WhatsApp Business, то и на smb_message_echoes: так двойник видит ваши ответы с телефона.",
  slack: "Укажите в настройках приложения Slack: Event Subscriptions → Request URL, событие message.im.",
};

interface WebhookAddressProps {
  entry: Pick<ShownIntegration, "platform" | "webhook" | "lastEvent">;
}

/** Address that the owner enters at the platform, so that it delivers contacts' messages here. */
export function WebhookAddress({ entry: { platform, webhook, lastEvent } }: WebhookAddressProps) {
  if (!webhook) return null;
  return (
    <section aria-label="Адрес для входящих сообщений" className="flex flex-col gap-4 rounded-md bg-sunken p-4">
      <p className="text-md">
        {WEBHOOK_HINTS[platform]} {!lastEvent && "Пока ни одного сообщения не приходило."}
      </p>
      <Copied label="Адрес вебхука" value={webhook.url} />
      {webhook.verifyToken && <Copied label="Токен подтверждения" value={webhook.verifyToken} />}
    </section>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-end gap-2">
      <Field label={label} className="flex-1">
        <Input readOnly value={value} onFocus={(event) => event.target.select()} />
      </Field>
      <CopyButton text={value} what={label} />
    </div>
  );
}
