import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import type { DeletedCounts, DestructionRecord } from "#contract/organizations/records.ts";
import { formatMoment, formatNumber } from "#web/i18n/format.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { downloadReceipt } from "./receipt.ts";

interface DeletionDialogProps {
  title: string;
  children: ReactNode;
  word: string;
  asksPassword: boolean;
  send: (proof: { confirmation: string; password?: string }) => Promise<DestructionRecord>;
  onClose: () => void;
}

/** Confirms an irreversible deletion: a typed word, the password, then the receipt. */
export default function DeletionDialog({ title, children, word, asksPassword, send, onClose }: DeletionDialogProps) {
  const { logout } = useSession();
  const [confirmation, setConfirmation] = useState("");
  const [password, setPassword] = useState("");
  const deletion = useMutation({ mutationFn: send });
  const record = deletion.data;

  function submit(event: FormEvent) {
    event.preventDefault();
    deletion.mutate({ confirmation, ...(asksPassword ? { password } : {}) });
  }

  if (record !== undefined) {
    return (
      <Dialog open onOpenChange={(open) => !open && void logout()}>
        <DialogContent title="Удалено" description={`${formatMoment(record.at)}. Справку можно скачать только сейчас.`}>
          <p className="text-md">{countsText(record.counts)}</p>
          <DialogFooter>
            <Button onClick={() => downloadReceipt(record)}>
              <Download aria-hidden className="icon" />
              Скачать справку
            </Button>
            <Button variant="primary" onClick={() => void logout()}>
              Закрыть и выйти
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && !deletion.isPending && onClose()}>
      <DialogContent title={title} description="Отменить или вернуть это нельзя.">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          {children}
          <Field label={`Введите «${word}»`} required>
            <Input autoComplete="off" value={confirmation} onChange={(event) => setConfirmation(event.target.value)} />
          </Field>
          {asksPassword && (
            <Field label="Ваш пароль" required>
              <PasswordInput
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
          )}
          <FormError error={deletion.error} />
          <DialogFooter className="mt-2!">
            <DialogClose asChild>
              <Button disabled={deletion.isPending}>Отмена</Button>
            </DialogClose>
            <Button
              type="submit"
              variant="danger-filled"
              busy={deletion.isPending}
              disabled={confirmation.trim() === "" || (asksPassword && password === "")}
            >
              {deletion.isPending ? "Удаляем..." : "Удалить навсегда"}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function countsText({ twins, documents, messages, conversations, files }: DeletedCounts): string {
  const parts = [
    ["двойников", twins],
    ["документов", documents],
    ["сообщений переписки", messages],
    ["диалогов", conversations],
    ["файлов", files],
  ] as const;
  return parts.map(([name, value]) => `${name}: ${formatNumber(value)}`).join(", ");
}
