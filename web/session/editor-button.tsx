import type { ComponentProps } from "react";
import { Button } from "#web/ui/button.tsx";
import { useReadOnly } from "./read-only.ts";

/** Begins something that only whoever may change things can go through with: for others it tells why not. */
export function EditorButton(props: ComponentProps<typeof Button>) {
  return <Button whyNot={useReadOnly()} {...props} />;
}
