import * as AlertDialog from "radix-ui/alert-dialog";
import type { MouseEvent, ReactNode } from "react";
import { Button, buttonClass } from "./button.tsx";
import { DialogFooter, Overlay } from "./dialog.tsx";
import { useFocusReturn } from "./focus-return.ts";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** The verb of the act: «Удалить». */
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  busy?: boolean;
  /** The dialog stays open until the caller closes it, so a failure can be tried again. */
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    confirmLabel,
    cancelLabel = "Отмена",
    destructive,
    busy,
    onConfirm,
  } = props;
  const focus = useFocusReturn();

  /** The second half of a double click comes before `busy` is drawn. */
  function confirmOnce({ detail }: MouseEvent) {
    if (detail <= 1) onConfirm();
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <Overlay />
        <AlertDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          aria-modal
          lang="ru"
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-pop-in rounded-lg border bg-surface p-5 shadow-3 focus:outline-none md:p-6"
        >
          <AlertDialog.Title className="text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-md text-muted">{description}</AlertDialog.Description>
          <DialogFooter>
            <AlertDialog.Cancel className={buttonClass("outline")} disabled={busy}>
              {cancelLabel}
            </AlertDialog.Cancel>
            <Button variant={destructive ? "danger-filled" : "primary"} busy={busy ?? false} onClick={confirmOnce}>
              {confirmLabel}
            </Button>
          </DialogFooter>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
