import type { ComponentProps } from "react";
import { Button } from "#web/ui/button.tsx";
import { useReadOnly } from "./read-only.ts";

/** A button for actions of editors; for others it is disabled and shows the reason. */
export function EditorButton(props: ComponentProps<typeof Button>) {
  return <Button whyNot={useReadOnly()} {...props} />;
}
