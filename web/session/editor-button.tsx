import type { ComponentProps } from "react";
import { Button } from "#web/ui/button.tsx";
import { useReadOnly } from "./read-only.ts";

/** A button for something that only editors may do; for others it is disabled and tells why. */
export function EditorButton(props: ComponentProps<typeof Button>) {
  return <Button whyNot={useReadOnly()} {...props} />;
}
