import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Button, type ButtonVariant } from "#web/ui/button.tsx";
import type { AskCode } from "./sign-in.ts";

const load = () => import("./email-form.tsx");
const EmailForm = lazy(load);

function preload() {
  // Preload failures are ignored; opening the form reports them.
  load().catch(() => undefined);
}

interface EmailLoginProps {
  variant: ButtonVariant;
  disabled: boolean;
  onOpen: (open: boolean) => void;
  askCode: AskCode;
}

/** «Войти по email» and the form that it reveals; the form's code is preloaded on hover or focus of the button. */
export function EmailLogin({ variant, disabled, onOpen, askCode }: EmailLoginProps) {
  const [open, setShown] = useState(false);
  const setOpen = (shown: boolean) => {
    setShown(shown);
    onOpen(shown);
  };
  const reveal = useRef<HTMLButtonElement>(null);
  const cancelled = useRef(false);

  useEffect(() => {
    // Cancelling removes the focused button, so the focus returns to the one that opened the form.
    if (!open && cancelled.current) reveal.current?.focus();
  }, [open]);

  const button = (
    <Button
      ref={reveal}
      variant={variant}
      className="w-full"
      disabled={disabled}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setOpen(true)}
    >
      Войти по email
    </Button>
  );
  if (!open) return button;
  return (
    <Suspense fallback={button}>
      <EmailForm
        askCode={askCode}
        onCancel={() => {
          cancelled.current = true;
          setOpen(false);
        }}
      />
    </Suspense>
  );
}
