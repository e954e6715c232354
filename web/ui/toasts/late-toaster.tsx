import { lazy, Suspense, useEffect, useState } from "react";
import { onBusyServer } from "#web/api/busy-server.ts";
import { toast, useToast } from "./toast.ts";

const Toaster = lazy(() => import("./toaster.tsx").then((module) => ({ default: module.Toaster })));

/** Loads the toasts' code at the first interaction with the page, so that the first paint does not need it. */
export function LateToaster() {
  const { toasts } = useToast();
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    const touch = () => setTouched(true);
    addEventListener("pointerdown", touch, { once: true });
    addEventListener("keydown", touch, { once: true });
    return () => {
      removeEventListener("pointerdown", touch);
      removeEventListener("keydown", touch);
    };
  }, []);
  useEffect(
    () =>
      onBusyServer(() => {
        toast({ title: "Сервер сейчас занят", description: "Через несколько секунд попробуем ещё раз" });
      }),
    [],
  );
  if (!touched && toasts.length === 0) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
