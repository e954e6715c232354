import { type ReactNode, useId } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { IntegrationForm } from "#contract/integrations/integrations.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import type { ConnectionWay, PlatformForm } from "./platforms.ts";
import { PROXY_HINT } from "./proxy-hints.ts";

type Name = Exclude<keyof IntegrationForm, "digitalTwinId" | "platform">;

interface PlatformFieldsProps {
  of: Pick<PlatformForm, "fields" | "account" | "additional" | "ways" | "apiKeyLabel" | "apiKeyHint">;
  register: UseFormRegister<IntegrationForm>;
  errors: FieldErrors<IntegrationForm>;
}

/** The fields of the chosen platform; what is a key is masked until its eye is pressed. */
export function PlatformFields({ of: form, register, errors }: PlatformFieldsProps) {
  const { fields, account = [], additional, ways, apiKeyLabel, apiKeyHint } = form;

  function control(name: Name) {
    const { label, hint, masked, ...input } =
      name === "apiKey" ? { label: apiKeyLabel, hint: apiKeyHint, masked: true } : looks[name];
    // Where there is another way, its fields do as well.
    const required = name === "apiKey" && ways === undefined;
    return (
      <Field key={name} label={label} hint={hint} error={errors[name]?.message} required={required}>
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
      {account.length > 0 && (
        <Folded title="Ящик" open>
          {account.map(control)}
        </Folded>
      )}
      {ways ? (
        ways.map((way) => <Way key={way.name} {...way} control={control} />)
      ) : (
        <div className={GRID}>{fields.map(control)}</div>
      )}
      {additional.length > 0 && (
        <Folded title="Дополнительно" open={additional.some((name) => errors[name])}>
          {additional.map(control)}
        </Folded>
      )}
    </>
  );
}

const GRID = "grid gap-5 sm:grid-cols-2 sm:*:last:odd:col-span-2";

interface WayProps extends ConnectionWay {
  control: (name: Name) => ReactNode;
}

function Way({ name, about, fields, warning, control }: WayProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be disabled with the form's own and carry a border
    <div role="group" aria-labelledby={id} className="grid gap-4 border-t pt-5 first:border-t-0 first:pt-0">
      <div>
        <h3 id={id} className="text-base">
          {name}
        </h3>
        <p className="text-md text-muted">{about}</p>
      </div>
      <div className={GRID}>{fields.map(control)}</div>
      {warning && <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">{warning}</p>}
    </div>
  );
}

function Folded({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="rounded-md border px-4 py-3">
      <summary className="cursor-pointer font-medium text-md">{title}</summary>
      <div className={`mt-4 mb-1 ${GRID}`}>{children}</div>
    </details>
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
