import type { ComponentProps } from "react";
import { useReadOnly } from "./read-only.ts";
import { Button } from "./ui/button.tsx";

/** Begins something that only whoever may change things can go through with: for others it tells why not. */
export function EditorButton(props: ComponentProps<typeof Button>) {
  return <Button whyNot={useReadOnly()} {...props} />;
}
