import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { proxyTrouble } from "#contract/integrations/proxy-address.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { hintBeside } from "./hint-beside.tsx";

interface ProxyDialogProps {
  /** The connection whose proxy it is. */
  of: string;
  /** «SOCKS5 proxy.example.com:1080»; null: there is none. */
  current: string | null;
  hint: string;
  /** Whether a person's own Telegram account is connected through it. */
  ofAccount?: boolean;
  /** Takes the new proxy; "" removes it. */
  save: UseMutationResult<unknown, Error, string>;
  onChanged?: () => void;
  onClose: () => void;
}

/** Dialog to change or remove the proxy. Typed text is stored nowhere, and the current proxy is never shown with its password. */
export default function ProxyDialog({
  of,
  current,
  hint,
  ofAccount = false,
  save,
  onChanged,
  onClose,
}: ProxyDialogProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();

  function change(proxy: string) {
    const onSuccess = () => {
      onChanged?.();
      onClose();
    };
    save.mutate(proxy, { onSuccess, onError: (refusal) => setError(messageOf(refusal)) });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const entered = text.trim();
    const trouble = entered === "" ? "Введите адрес прокси" : proxyTrouble(entered, ofAccount);
    setError(trouble ?? undefined);
    if (trouble === null && !save.isPending) change(entered);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title={`Прокси: ${of}`}
        description={
          current === null
            ? "Сейчас соединения идут напрямую."
            : `Сейчас соединения идут через ${current}. Имя и пароль не показываются.`
        }
      >
        <form noValidate aria-label="Прокси" onSubmit={submit}>
          <Field label="Новый прокси" error={error} hint={hintBeside(hint, error)}>
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
            {current !== null && (
              <Button disabled={save.isPending} onClick={() => change("")}>
                Убрать прокси
              </Button>
            )}
            <Button onClick={onClose}>Отмена</Button>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Сохранить
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
