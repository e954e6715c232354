import type { ReactNode } from "react";
import { Sheet, SheetContent } from "#web/ui/overlays/sheet.tsx";

/** The details of a conversation in a sheet, for screens without room beside the thread. */
export default function DetailsSheet({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title="О диалоге">
        {children}
      </SheetContent>
    </Sheet>
  );
}
