import { useState } from "react";
import { NewCalendarAccount } from "#contract/actions/calendars.ts";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { ApiError } from "#web/api/api-error.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import { proxyInput, storedProxy } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { useConnectCalendar } from "../../queries.ts";

/** Services with passwords of applications, and where one is made. */
const SERVICES = [
  {
    name: "Яндекс Календарь",
    url: "https://caldav.yandex.ru",
    hint: "Яндекс ID, «Безопасность», «Пароли приложений», «Календарь»",
  },
  {
    name: "Календарь Mail.ru",
    url: "https://calendar.mail.ru",
    hint: "Настройки Mail.ru, «Безопасность», «Пароли для внешних приложений»",
  },
  { name: "iCloud", url: "https://caldav.icloud.com", hint: "account.apple.com, «Пароли приложений»" },
  { name: "Другой сервер CalDAV", url: "", hint: "Отдельный пароль для программ, если сервис его выдаёт" },
] as const;

interface ConnectCalendarProps {
  twinId: string;
  onConnected: (account: ToolConnection) => void;
  /** undefined: there is nothing to go back to. */
  onCancel: (() => void) | undefined;
}

/** The address, login and application password of a calendar. They are sent and never kept in the browser. */
export function ConnectCalendar({ twinId, onConnected, onCancel }: ConnectCalendarProps) {
  const connect = useConnectCalendar();
  const [service, setService] = useState(0);
  const [values, setValues] = useState({ url: SERVICES[0].url as string, login: "", password: "" });
  const [proxy, setProxy] = useState(storedProxy());
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const set = (name: keyof typeof values) => (event: { target: { value: string } }) => {
    setValues({ ...values, [name]: event.target.value });
    setFaults({ ...faults, [name]: "" });
  };

  const submit = useSingleFlight(async () => {
    setFailure(null);
    const checked = NewCalendarAccount.safeParse({
      ...{ twinId, ...values },
      // An account that is connected already keeps its own.
      ...(proxy.entered !== "" && proxyInput(proxy)),
    });
    if (!checked.success)
      return setFaults(Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join("."), message])));
    const account = await connect.mutateAsync(checked.data).catch((error: unknown) => {
      const fields = error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};
      if (Object.keys(fields).length > 0) setFaults(fields);
      else setFailure(error);
    });
    if (account) onConnected(account);
  });

  return (
    <fieldset
      className="flex min-w-0 flex-col gap-4"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        // It stands in the form of the tool, which is not ready to be sent.
        event.preventDefault();
        void submit();
      }}
    >
      <legend className="sr-only">Подключение календаря</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Где календарь">
          <Select
            value={service}
            onChange={({ target }) => {
              const next = Number(target.value);
              setService(next);
              setValues({ ...values, url: SERVICES[next]!.url });
              setFaults({});
            }}
          >
            {SERVICES.map(({ name }, at) => (
              <option key={name} value={at}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Адрес CalDAV" required error={faults.url || undefined}>
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://caldav.example.ru"
            value={values.url}
            onChange={set("url")}
          />
        </Field>
        <Field label="Логин" required error={faults.login || undefined} hint="Обычно это адрес почты">
          <Input autoComplete="off" spellCheck={false} value={values.login} onChange={set("login")} />
        </Field>
        <Field label="Пароль приложения" required error={faults.password || undefined} hint={SERVICES[service]!.hint}>
          <PasswordInput what="пароль" autoComplete="off" value={values.password} onChange={set("password")} />
        </Field>
      </div>
      <ProxyField
        value={proxy}
        error={faults.proxy || undefined}
        onChange={(next) => {
          setProxy(next);
          setFaults({ ...faults, proxy: "" });
        }}
      />
      <FormError error={failure} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={connect.isPending} onClick={() => void submit()}>
          {connect.isPending ? "Подключаем..." : "Подключить календарь"}
        </Button>
        {onCancel && <Button onClick={onCancel}>Не&nbsp;подключать</Button>}
      </div>
    </fieldset>
  );
}
