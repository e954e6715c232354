import { type FormEvent, useState } from "react";
import { type Integration, IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { proxyTrouble } from "#contract/integrations/proxy-address.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { PROXY_HINT, PROXY_HINT_OF_ACCOUNT } from "../proxy-hints.ts";
import { useSetProxy } from "./integration-queries.ts";

interface ProxyFormProps {
  integration: Integration;
  /** Whether a person's account on Telegram is connected. */
  account: boolean;
  onDone: () => void;
}

/** Another proxy, or none. What is typed is kept nowhere, and what is connected is never shown whole. */
export default function ProxyForm({ integration, account, onDone }: ProxyFormProps) {
  const { id, platform, settings } = integration;
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const set = useSetProxy(id);

  function change(proxy: string) {
    set.mutate(proxy, { onSuccess: onDone, onError: (refusal) => setError(messageOf(refusal)) });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const entered = text.trim();
    const known = IntegrationPlatform.safeParse(platform).data;
    const trouble =
      entered === "" ? "Введите адрес прокси" : known === undefined ? null : proxyTrouble(entered, known, account);
    setError(trouble ?? undefined);
    if (trouble === null && !set.isPending) change(entered);
  }

  return (
    <form noValidate aria-label="Прокси" onSubmit={submit} className="flex flex-col gap-4 rounded-md bg-sunken p-4">
      <p className="text-md text-muted">
        {settings.proxy
          ? `Сейчас соединения идут через ${settings.proxy}. Имя и пароль не показываются.`
          : "Сейчас соединения идут напрямую."}
      </p>
      <Field label="Новый прокси" error={error} hint={account ? PROXY_HINT_OF_ACCOUNT : PROXY_HINT}>
        <PasswordInput
          what="введённое"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={set.isPending}>
          Сохранить
        </Button>
        {settings.proxy && (
          <Button disabled={set.isPending} onClick={() => change("")}>
            Убрать прокси
          </Button>
        )}
        <Button onClick={onDone}>Отмена</Button>
      </div>
    </form>
  );
}
