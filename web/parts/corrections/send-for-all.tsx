import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { askedAlreadyInWords } from "./correction-words.ts";

interface SendForAllProps {
  people: number | undefined;
  disabled: boolean;
  className?: string;
  onSend: () => void;
}

/** Sends an answer to one person and publishes it. A confirmation names who would see it, because the owner wrote to one person. */
export function SendForAll({ people, disabled, className, onSend }: SendForAllProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button disabled={disabled} className={className} onClick={() => setAsks(true)}>
        Научить для всех…
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Научить для всех?"
        description={[
          "Ответ уйдёт собеседнику. Его увидят и\u00a0все, кто спросит похожее.",
          askedAlreadyInWords(people),
        ]
          .filter(Boolean)
          .join(" ")}
        confirmLabel="Отправить и научить для всех"
        onConfirm={() => {
          setAsks(false);
          onSend();
        }}
      />
    </>
  );
}
