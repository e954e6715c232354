import { OctagonX } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSetStopSwitch, useStopSwitch } from "#web/parts/stop-switch/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import type { MenuAct } from "./header/acts.ts";
import { ActsMenu } from "./header/acts-menu.tsx";

const ConfirmDialog = lazy(() =>
  import("#web/ui/overlays/confirm-dialog.tsx").then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/** «Остановить» alone would be of one conversation. */
const NAME = "Остановить всех двойников";

/**
 * The act that silences all twins of the organisation, as an item of a menu, and the question that it asks. There is none while they are
 * silent, when the banner shows the button that switches them on again, nor for members who may not stop them.
 */
export function useStopAct(): { act: MenuAct | null; question: ReactNode } {
  const [asking, setAsking] = useState(false);
  const { data } = useStopSwitch();
  const set = useSetStopSwitch();
  const readOnly = useReadOnly();
  if (data?.stopped !== false || readOnly !== null) return { act: null, question: null };
  return {
    act: { label: NAME, icon: OctagonX, destructive: true, onSelect: () => setAsking(true) },
    question: (
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
    ),
  };
}

interface StopButtonProps {
  /** What stands in the menu before it on a phone, which has no room for the button of that. */
  onPhone?: MenuAct;
}

/** In the header of a screen: quiet words where there is room for them, in a menu where there is not. */
export function StopButton({ onPhone }: StopButtonProps) {
  const { act, question } = useStopAct();
  const acts = [...(onPhone ? [{ ...onPhone, className: "sm:hidden" }] : []), ...(act ? [act] : [])];
  return (
    <>
      {act && (
        <Button
          variant="ghost"
          className="text-danger-text! max-xl:hidden"
          aria-label={NAME}
          title={NAME}
          onClick={act.onSelect}
        >
          Остановить всех
        </Button>
      )}
      {acts.length > 0 && <ActsMenu label="Ещё" acts={acts} className={act ? "xl:hidden" : "sm:hidden"} />}
      {question}
    </>
  );
}
