import { useMutation } from "@tanstack/react-query";
import * as AlertDialog from "radix-ui/alert-dialog";
import { useState } from "react";
import { accountApi } from "#contract/organizations/account.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { call } from "#web/api/call.ts";
import DeleteAccount from "#web/parts/records/delete-account.tsx";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { DialogFooter, DialogPlace, dialogFrame, Overlay } from "#web/ui/overlays/dialog.tsx";
import { LegalLinks } from "./legal-links.tsx";

/** Blocks the application until the current legal texts are accepted; the alternative is to sign out. */
export default function ConsentGate() {
  const { refresh, logout } = useSession();
  const [agreed, setAgreed] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const accept = useMutation({
    mutationFn: async () => {
      await call(accountApi.consent, { input: { version: CONSENT_VERSION } });
      await refresh();
    },
  });
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <Overlay />
        <DialogPlace>
          <AlertDialog.Content
            aria-modal
            lang="ru"
            onEscapeKeyDown={(event) => event.preventDefault()}
            className={`${dialogFrame} max-w-md`}
          >
            <AlertDialog.Title className="text-lg">Примите условия, чтобы продолжить</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-md text-muted">
              Сервис хранит ваши персональные данные, и для этого нужно ваше согласие. Прочитайте оба текста: они
              открываются в новой вкладке.
            </AlertDialog.Description>
            <div className="mt-4 flex flex-col gap-4">
              <LegalLinks />
              <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
                Я принимаю условия использования и даю согласие на обработку персональных данных
              </Checkbox>
              {deleting ? (
                <DeleteAccount />
              ) : (
                <p className="text-md text-muted">
                  Не согласны? Выйдите или{" "}
                  <button
                    type="button"
                    className="text-primary-text underline underline-offset-4"
                    onClick={() => setDeleting(true)}
                  >
                    удалите аккаунт
                  </button>
                  .
                </p>
              )}
              <FormError error={accept.error} />
            </div>
            <DialogFooter>
              <Button disabled={accept.isPending} onClick={() => void logout()}>
                Выйти
              </Button>
              <Button variant="primary" disabled={!agreed} busy={accept.isPending} onClick={() => accept.mutate()}>
                Продолжить
              </Button>
            </DialogFooter>
          </AlertDialog.Content>
        </DialogPlace>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
