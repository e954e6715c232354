import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { Link } from "wouter";
import { integrationsApi, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { proxyTrouble } from "#contract/integrations/proxy-address.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { mayChangeTwin, useWhyNot } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { TELEGRAM_ACCOUNT_PROXY_HINT } from "../proxy-hints.ts";
import { useTryConnection } from "../queries.ts";
import type { TelegramAccount } from "./setup-queries.ts";

const CheckResult = lazy(() => import("../check-result.tsx"));

interface CredentialsStepProps {
  draft: { account: TelegramAccount; change: (fields: Partial<TelegramAccount>) => void };
  twins: UseQueryResult<Twin[]>;
  busy: boolean;
  onRequest: (account: TelegramAccount) => void;
}

const inOrder = ["twinId", "apiId", "apiHash", "phoneNumber"] as const;
type FieldName = (typeof inOrder)[number] | "proxy";

export function CredentialsStep({ draft, twins, busy, onRequest }: CredentialsStepProps) {
  const { account, change } = draft;
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const { user } = useSession();
  const twinList = (twins.data ?? []).filter((twin) => !user || mayChangeTwin(user, twin));
  const trial = useTryConnection();
  const readOnly = useWhyNot(integrationsApi.sendCode);
  const noTwins = twins.data?.length === 0;

  /** Shows the violated rule in a toast and focuses the first of `fields`. */
  function refuse(title: string, description: string, fields: readonly FieldName[] = [], message = "") {
    setErrors(Object.fromEntries(fields.map((field) => [field, message])));
    form.current?.querySelector<HTMLElement>(`[name="${fields[0]}"]`)?.focus();
    toast({ title, description, variant: "destructive" });
  }

  const proxy = account.proxy?.trim() ?? "";

  function submit() {
    const trimmed = {
      apiId: account.apiId.trim(),
      apiHash: account.apiHash.trim(),
      phoneNumber: account.phoneNumber.trim(),
      twinId: account.twinId,
    };
    const missing = inOrder.filter((field) => trimmed[field] === "");
    // Without twins none can be chosen; the form says so once the rest is filled in.
    if (noTwins && missing.every((field) => field === "twinId")) {
      return refuse("Нет Digital Twins", "Сначала создайте Digital Twin");
    }
    if (missing.length > 0) {
      return refuse("Заполните все поля", "Все поля обязательны для подключения", missing, "Заполните это поле");
    }
    // A draft may name a deleted twin: the form says so instead of replacing it silently.
    if (twins.data && !twins.data.some(({ id }) => id === trimmed.twinId)) {
      const [title, description] = ["Ошибка выбора Digital Twin", "Выбранный Digital Twin не найден"] as const;
      return refuse(title, description, ["twinId"], "Выберите двойника из списка");
    }
    if (refuseProxy()) return;
    setErrors({});
    onRequest({ ...trimmed, ...(proxy && { proxy }) });
  }

  function refuseProxy(): boolean {
    const trouble = proxy === "" ? null : proxyTrouble(proxy, true);
    if (trouble !== null) refuse("Проверьте прокси", trouble, ["proxy"], trouble);
    return trouble !== null;
  }

  function check() {
    const [apiId, apiHash] = [account.apiId.trim(), account.apiHash.trim()];
    const missing = (["apiId", "apiHash"] as const).filter((field) => account[field].trim() === "");
    if (missing.length > 0) {
      return refuse("Заполните поля", "Для проверки нужны API ID и API Hash", missing, "Заполните это поле");
    }
    if (refuseProxy()) return;
    const settings = { phone_number: null, webhook_url: null, ...(proxy && { proxy }) };
    const keys = { platform: "telegram" as const, apiKey: USERBOT_API_KEY, apiId, apiHash, phoneNumber: null };
    trial.mutate({ ...keys, settings });
  }

  const bound = (name: FieldName) => ({
    name,
    value: account[name] ?? "",
    onChange: (event: { target: { value: string } }) => {
      change({ [name]: event.target.value });
      setErrors(({ [name]: _corrected, ...others }) => others);
    },
  });

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
      className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-8"
    >
      <div className="flex flex-col gap-5">
        <ReadOnly reason={readOnly}>
          <Field
            label="Цифровой двойник"
            required
            error={errors.twinId}
            hint={
              noTwins ? (
                <>
                  Пока нет ни одного двойника.{" "}
                  <Link href={paths.createTwin} className="font-medium text-primary-text underline">
                    Создать двойника
                  </Link>
                </>
              ) : twins.error ? (
                <>
                  Не удалось загрузить двойников.{" "}
                  <button
                    type="button"
                    className="font-medium text-primary-text underline"
                    onClick={() => void twins.refetch()}
                  >
                    Повторить
                  </button>
                </>
              ) : (
                "Кто будет учиться на этой переписке"
              )
            }
          >
            <Select placeholder={twins.isPending ? "Загрузка..." : "Выберите двойника"} {...bound("twinId")}>
              {twinList.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="API ID" required error={errors.apiId}>
              <Input inputMode="numeric" autoComplete="off" placeholder="12345678" {...bound("apiId")} />
            </Field>
            <Field label="API Hash" required error={errors.apiHash}>
              <PasswordInput what="введённое" autoComplete="off" {...bound("apiHash")} />
            </Field>
          </div>
          <Field
            label="Номер телефона"
            required
            error={errors.phoneNumber}
            hint="На этот аккаунт Telegram пришлёт код: он придёт в само приложение, не по SMS"
          >
            <Input type="tel" autoComplete="tel" placeholder="+7XXXXXXXXXX" {...bound("phoneNumber")} />
          </Field>
          <details open={errors.proxy !== undefined} className="rounded-md border px-4 py-3">
            <summary className="cursor-pointer font-medium text-md">Дополнительно</summary>
            <div className="mt-4 mb-1 flex flex-col gap-4">
              <Field label="Прокси" error={errors.proxy} hint={TELEGRAM_ACCOUNT_PROXY_HINT}>
                <PasswordInput what="введённое" autoComplete="off" {...bound("proxy")} />
              </Field>
              <Button busy={trial.isPending} onClick={check} className="self-start max-sm:w-full">
                Проверить соединение
              </Button>
              <Suspense fallback={null}>
                {(trial.isPending || trial.data) && <CheckResult check={trial.data} pending={trial.isPending} />}
              </Suspense>
            </div>
          </details>
          {/* Telegram's terms require the consent and the risk to be visible where the code is requested, not only in collapsed text. */}
          <p className="max-w-measure text-muted text-sm">
            Запрашивая код, вы подтверждаете согласие собеседников на&nbsp;чтение их сообщений. Telegram может
            ограничить аккаунт за&nbsp;такой вход.
          </p>
          <Button type="submit" variant="primary" busy={busy} className="self-start max-sm:w-full">
            {busy ? "Отправка..." : "Отправить код"}
          </Button>
        </ReadOnly>
      </div>
      <Notes />
    </form>
  );
}

const details = [
  "Правила Telegram требуют согласия собеседников, прежде чем их сообщения прочитает ИИ. Запрашивая код, вы подтверждаете, что оно есть в каждом диалоге, который прочитает двойник.",
  "Читаются последние личные диалоги или те, которые вы выберете после кода. Группы — только если отметите их сами; каналы, боты и служебные сообщения Telegram не импортируются.",
  "За вход через сторонние приложения Telegram может ограничить аккаунт. Чтобы отвечать от своего имени, рекомендуем бота, подключённого к аккаунту в Telegram для бизнеса, а вход оставить для импорта.",
];

function Notes() {
  return (
    <aside aria-label="Перед подключением" className="flex h-fit flex-col gap-3 rounded-md bg-sunken p-4 text-md">
      <p>
        Клиентам отвечает{" "}
        <Link href={`${paths.addIntegration}?platform=telegram`} className="font-medium text-primary-text underline">
          бот
        </Link>
        : у него один ключ и нет риска для вашего аккаунта.
      </p>
      <p className="text-muted">
        API ID и API Hash выдаются на my.telegram.org в разделе API development tools. Они хранятся в зашифрованном
        виде.
      </p>
      <details className="text-muted">
        <summary className="w-fit rounded-sm font-medium text-primary-text">Что читается и чем это грозит</summary>
        <ul className="mt-3 flex flex-col gap-3">
          {details.map((paragraph) => (
            <li key={paragraph}>{paragraph}</li>
          ))}
        </ul>
      </details>
    </aside>
  );
}
