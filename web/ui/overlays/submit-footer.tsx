import { Button } from "../button.tsx";
import { DialogClose, DialogFooter } from "./dialog.tsx";

interface SubmitFooterProps {
  label: string;
  /** Stands in for `label` while the form is sent. */
  busyLabel: string;
  busy: boolean;
}

/** The last line of a form in a dialog: leave it, or send it. */
export function SubmitFooter({ label, busyLabel, busy }: SubmitFooterProps) {
  return (
    <DialogFooter className="mt-2!">
      <DialogClose asChild>
        <Button>Отмена</Button>
      </DialogClose>
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? busyLabel : label}
      </Button>
    </DialogFooter>
  );
}
