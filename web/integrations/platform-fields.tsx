import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { IntegrationForm } from "#contract/integrations/integrations.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import type { PlatformForm } from "./platforms.ts";
import { PROXY_HINT } from "./proxy-hints.ts";

type Name = Exclude<keyof IntegrationForm, "digitalTwinId" | "platform">;

interface PlatformFieldsProps {
  of: Omit<PlatformForm, "key">;
  register: UseFormRegister<IntegrationForm>;
  errors: FieldErrors<IntegrationForm>;
}

/** The fields of the chosen platform; what is a key is masked until its eye is pressed. */
export function PlatformFields({ of: form, register, errors }: PlatformFieldsProps) {
  const { fields, additional, additionalOpen = false, apiKeyLabel, apiKeyHint } = form;

  function control(name: Name) {
    const { label, hint, masked, ...input } =
      name === "apiKey" ? { label: apiKeyLabel, hint: apiKeyHint, masked: true } : looks[name];
    return (
      <Field key={name} label={label} hint={hint} error={errors[name]?.message} required={name === "apiKey"}>
        {masked ? (
          <PasswordInput what="введённое" autoComplete="off" {...register(name)} />
        ) : (
          <Input autoComplete="off" {...input} {...register(name)} />
        )}
      </Field>
    );
  }

  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2 sm:*:last:odd:col-span-2">{fields.map(control)}</div>
      {additional.length > 0 && (
        <details
          open={additionalOpen || additional.some((name) => errors[name])}
          className="rounded-md border px-4 py-3"
        >
          <summary className="cursor-pointer font-medium text-md">Дополнительно</summary>
          <div className="mt-4 mb-1 grid gap-5 sm:grid-cols-2 sm:*:last:odd:col-span-2">{additional.map(control)}</div>
        </details>
      )}
    </>
  );
}

interface Look {
  label: string;
  hint?: string;
  masked?: boolean;
  type?: string;
  inputMode?: "numeric" | "url";
  placeholder?: string;
}

const looks: Record<Exclude<Name, "apiKey">, Look> = {
  apiId: { label: "API ID", inputMode: "numeric", placeholder: "12345678" },
  apiHash: { label: "API Hash", masked: true },
  phoneNumber: { label: "Номер телефона", type: "tel", placeholder: "+7XXXXXXXXXX" },
  webhookUrl: { label: "Webhook URL", inputMode: "url", placeholder: "https://" },
  appSecret: { label: "App Secret", hint: "Им подписаны входящие вебхуки", masked: true },
  address: {
    label: "Адрес ящика",
    hint: "С которого отвечать: по нему находятся почтовые серверы",
    type: "email",
    placeholder: "name@example.com",
  },
  signingSecret: { label: "Signing Secret", hint: "Чтобы получать события, а не только отправлять", masked: true },
  proxy: { label: "Прокси", hint: PROXY_HINT, masked: true },
  appToken: { label: "App-Level Token", hint: "Или он: начинается с xapp-, для Socket Mode", masked: true },
};
