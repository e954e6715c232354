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

/** «Приостановить», because the twins can be resumed at any time. */
const NAME = "Приостановить двойников";

/**
 * Menu action that stops all twins of the organisation, with its confirmation. It is absent while they are stopped, when a banner has
 * the button to start them, and for members who may not stop them.
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
            title="Приостановить всех двойников?"
            description="Ни один двойник организации ничего не отправит, пока вы не включите их снова: кнопка «Включить двойников» появится вверху. Сообщения будут приходить, ответы на них подождут вас черновиками. Уже отправленное не вернуть."
            confirmLabel="Приостановить"
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
  /** Menu item before it on a phone, which has no space for that action's button. */
  onPhone?: MenuAct;
}

/** Shown in a screen's header: as text where there is space, otherwise in a menu. */
export function StopButton({ onPhone }: StopButtonProps) {
  const { act, question } = useStopAct();
  const acts = [...(onPhone ? [{ ...onPhone, className: "sm:hidden" }] : []), ...(act ? [act] : [])];
  return (
    <>
      {act && (
        <Button
          variant="ghost"
          className="text-danger-text! max-xl:hidden"
          title="Пока вы не включите их снова, двойники ничего не отправят"
          onClick={act.onSelect}
        >
          {NAME}
        </Button>
      )}
      {acts.length > 0 && <ActsMenu label="Ещё" acts={acts} className={act ? "xl:hidden" : "sm:hidden"} />}
      {question}
    </>
  );
}
