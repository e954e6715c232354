import { lazy, Suspense, useState } from "react";
import type { ConfirmDialogProps } from "./confirm-window.tsx";

const ConfirmWindow = lazy(() => import("./confirm-window.tsx"));

/** A confirmation dialog. Its code is loaded when it first opens, because most visits confirm nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [opened, setOpened] = useState(props.open);
  if (props.open && !opened) setOpened(true);
  return <Suspense>{opened && <ConfirmWindow {...props} />}</Suspense>;
}
