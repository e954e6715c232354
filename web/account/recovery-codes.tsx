import { Download } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";

/** Shows the recovery codes for the only time. */
export default function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `Коды восстановления, «Цифровые двойники» (${location.host}). Каждый подходит один раз.\n\n${codes.join("\n")}\n`;

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Коды восстановления"
        description="Сохраните их сейчас: больше мы их не покажем. Если телефон потеряется, по такому коду можно войти. Каждый подходит один раз."
        // A click outside the dialog must not close it, because the codes would be lost permanently.
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <ul
          aria-label="Коды восстановления"
          className="grid gap-x-6 gap-y-1.5 rounded-md border bg-sunken p-4 font-mono text-md sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap gap-2">
          <CopyButton text={text} what="коды восстановления" />
          <Button variant="ghost" size="sm" onClick={download}>
            <Download aria-hidden className="icon" />
            Скачать файлом
          </Button>
        </div>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="primary">Коды сохранены</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
