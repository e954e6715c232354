import { clsx } from "clsx";
import * as AlertDialog from "radix-ui/alert-dialog";
import type { MouseEvent, ReactNode } from "react";
import { Button, buttonClass } from "../button.tsx";
import { DialogFooter, DialogPlace, dialogFrame, Overlay } from "./dialog.tsx";
import { useFocusReturn } from "./focus-return.ts";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  busy?: boolean;
  /** The dialog stays open until the caller closes it, so that a failed action can be retried. */
  onConfirm: () => void;
}

export default function ConfirmWindow(props: ConfirmDialogProps) {
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

  /** Ignores the second click of a double click, which arrives before `busy` is rendered. */
  function confirmOnce({ detail }: MouseEvent) {
    if (detail <= 1) onConfirm();
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <Overlay />
        <DialogPlace>
          <AlertDialog.Content
            onOpenAutoFocus={focus.remember}
            onCloseAutoFocus={focus.restore}
            aria-modal
            lang="ru"
            className={clsx(dialogFrame, "max-w-md")}
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
        </DialogPlace>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
