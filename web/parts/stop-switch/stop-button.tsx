import { OctagonX } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { useSetStopSwitch, useStopSwitch } from "./queries.ts";

const ConfirmDialog = lazy(() =>
  import("#web/ui/overlays/confirm-dialog.tsx").then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/** Silences all twins of the organisation; while they are silent, the banner shows the button that switches them on again. */
export function StopButton() {
  const [asking, setAsking] = useState(false);
  const { data } = useStopSwitch();
  const set = useSetStopSwitch();
  const readOnly = useReadOnly();
  if (data?.stopped !== false || readOnly !== null) return null;
  return (
    <>
      <Button
        variant="danger"
        className="max-xl:w-(--control-h) max-xl:px-0!"
        aria-label="Остановить всех двойников"
        title="Остановить всех двойников"
        onClick={() => setAsking(true)}
      >
        {/* «Остановить» alone would be of this conversation. */}
        <OctagonX aria-hidden className="icon" />
        <span className="max-xl:hidden">Остановить всех</span>
      </Button>
      <Suspense>
        {asking && (
          <ConfirmDialog
            open
            onOpenChange={setAsking}
            title="Остановить всех двойников?"
            description="Ни один двойник организации ничего не отправит, пока вы не включите их снова. Сообщения будут приходить, ответы на них подождут вас черновиками. Уже отправленное не вернуть."
            confirmLabel="Остановить"
            destructive
            busy={set.isPending}
            onConfirm={() => set.mutate(true, { onSuccess: () => setAsking(false) })}
          />
        )}
      </Suspense>
    </>
  );
}
