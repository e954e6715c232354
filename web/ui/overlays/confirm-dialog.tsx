import { lazy, Suspense, useState } from "react";
import type { ConfirmDialogProps } from "./confirm-window.tsx";

const ConfirmWindow = lazy(() => import("./confirm-window.tsx"));

/** Asks before something is done. Most visits to a screen confirm nothing, so the dialog's code is fetched when it first opens. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [opened, setOpened] = useState(props.open);
  if (props.open && !opened) setOpened(true);
  return <Suspense>{opened && <ConfirmWindow {...props} />}</Suspense>;
}
