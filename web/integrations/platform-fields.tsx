import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { IntegrationForm } from "#contract/integrations/integrations.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import type { PlatformForm } from "./platforms.ts";
import { PROXY_HINT } from "./proxy-hints.ts";
import type { CredentialWarnings } from "./use-credential-warnings.ts";

type Name = Exclude<keyof IntegrationForm, "digitalTwinId" | "platform">;

interface PlatformFieldsProps {
  of: Pick<PlatformForm, "fields" | "account" | "additional" | "ways" | "apiKeyLabel" | "apiKeyHint">;
  register: UseFormRegister<IntegrationForm>;
  errors: FieldErrors<IntegrationForm>;
  warnings: CredentialWarnings;
  way?: number;
  onWay?: (way: number) => void;
  /** Steps for the platform and way, which a phone shows before the fields. */
  guide?: ReactNode;
}

/** The fields of the chosen platform; keys are masked until the user reveals them. */
export function PlatformFields({
  of: form,
  register,
  errors,
  warnings,
  way: chosen,
  onWay,
  guide,
}: PlatformFieldsProps) {
  const { fields, account = [], additional, ways, apiKeyLabel, apiKeyHint } = form;
  const look = (name: Name): Look =>
    name === "apiKey" ? { label: apiKeyLabel, hint: apiKeyHint, masked: true } : looks[name];

  function control(name: Name, required = name === "apiKey") {
    const { label, hint, masked, ...input } = look(name);
    const warning = errors[name] ? undefined : warnings[name];
    const hinted = warning ? (
      <>
        <span role="status" className="block text-warning-text">
          {warning}
        </span>
        {hint}
      </>
    ) : (
      hint
    );
    return (
      <Field key={name} label={label} hint={hinted} error={errors[name]?.message} required={required}>
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
          {account.map((name) => control(name))}
        </Folded>
      )}
      {ways ? (
        <fieldset className="min-w-0">
          <legend className="mb-1.5 font-medium text-md">Способ подключения</legend>
          <div className="grid gap-4">
            {ways.map(({ name, about, fields, required, warning }, at) => (
              // All fields are visible, as the specification lists them; typing into one selects its way.
              <div
                key={name}
                onInput={() => at !== chosen && onWay?.(at)}
                className={clsx(
                  "flex min-w-0 flex-col gap-4 rounded-lg border p-4",
                  at === chosen && "border-primary!",
                )}
              >
                <label className="flex cursor-pointer gap-3">
                  <input
                    type="radio"
                    name="way"
                    checked={at === chosen}
                    onChange={() => onWay?.(at)}
                    className="mt-1 size-4.5 shrink-0 accent-primary"
                  />
                  <span className="min-w-0">
                    <span className="block font-medium text-md">{name}</span>
                    <span className="block text-muted text-sm">{about}</span>
                  </span>
                </label>
                {warning && at === chosen && (
                  <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">{warning}</p>
                )}
                {at === chosen && guide}
                <div className={clsx("grid gap-4", fields.length > 1 && "sm:grid-cols-3")}>
                  {fields.map((field) => control(field, at === chosen && required.includes(field)))}
                </div>
              </div>
            ))}
          </div>
        </fieldset>
      ) : (
        <>
          {guide}
          <div className={GRID}>{fields.map((name) => control(name))}</div>
        </>
      )}
      {additional.length > 0 && (
        <Folded title="Дополнительно" open={additional.some((name) => errors[name])}>
          {additional.map((name) => control(name))}
        </Folded>
      )}
    </>
  );
}

const GRID = "grid gap-5 sm:grid-cols-2 sm:*:last:odd:col-span-2";

/** A collapsible group of fields without a frame, which would set a single field apart. */
function Folded({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open}>
      <summary className="w-fit cursor-pointer py-1 font-medium text-md">{title}</summary>
      <div className={`mt-3 ${GRID}`}>{children}</div>
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
