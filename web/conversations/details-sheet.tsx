import type { ReactNode } from "react";
import { Sheet, SheetContent } from "#web/ui/sheet.tsx";

/** The details of a dialogue, where there is no room beside its thread. */
export default function DetailsSheet({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title="О диалоге">
        {children}
      </SheetContent>
    </Sheet>
  );
}
