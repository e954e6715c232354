import type { ReactNode } from "react";
import { Sheet, SheetContent } from "#web/ui/overlays/sheet.tsx";

export default function DetailsSheet({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title="О диалоге">
        {children}
      </SheetContent>
    </Sheet>
  );
}
