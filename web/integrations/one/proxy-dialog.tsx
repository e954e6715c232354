import { type FormEvent, useState } from "react";
import { type Integration, IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { proxyTrouble } from "#contract/integrations/proxy-address.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { PROXY_HINT, TELEGRAM_ACCOUNT_PROXY_HINT } from "../proxy-hints.ts";
import { useSetProxy } from "./integration-queries.ts";

interface ProxyDialogProps {
  integration: Integration;
  account: boolean;
  onChanged: () => void;
  onClose: () => void;
}

/** Dialog to change or remove the proxy. Typed text is stored nowhere, and the current proxy is never shown with its password. */
export default function ProxyDialog({ integration, account, onChanged, onClose }: ProxyDialogProps) {
  const { id, platform, settings } = integration;
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const set = useSetProxy(id);

  function change(proxy: string) {
    const onSuccess = () => {
      onChanged();
      onClose();
    };
    set.mutate(proxy, { onSuccess, onError: (refusal) => setError(messageOf(refusal)) });
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
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title="Прокси"
        description={
          settings.proxy
            ? `Сейчас соединения идут через ${settings.proxy}. Имя и пароль не показываются.`
            : "Сейчас соединения идут напрямую."
        }
      >
        <form noValidate aria-label="Прокси" onSubmit={submit}>
          <Field label="Новый прокси" error={error} hint={account ? TELEGRAM_ACCOUNT_PROXY_HINT : PROXY_HINT}>
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
          <DialogFooter>
            {settings.proxy && (
              <Button disabled={set.isPending} onClick={() => change("")}>
                Убрать прокси
              </Button>
            )}
            <Button onClick={onClose}>Отмена</Button>
            <Button type="submit" variant="primary" busy={set.isPending}>
              Сохранить
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
