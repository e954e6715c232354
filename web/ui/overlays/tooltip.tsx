import * as Slot from "radix-ui/slot";
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from "react";
import { announceTooltip, type TooltipText } from "./tooltip-targets.ts";

const TooltipLayer = lazy(() => import("./tooltip-layer.tsx"));

interface TooltipProps extends Omit<TooltipText, "element"> {
  /** One focusable element, which has its own label; the tooltip only adds to it. */
  children: ReactElement;
}

/** Registers its child for a tooltip, which `LateTooltips` shows. */
export function Tooltip({ label, side = "bottom", children }: TooltipProps) {
  const target = useRef<HTMLElement>(null);
  useEffect(() => announceTooltip({ element: target.current as HTMLElement, label, side }), [label, side]);
  return <Slot.Root ref={target}>{children}</Slot.Root>;
}

/** Loads the tooltips' code at the first pointer movement or key press, so that the first paint does not need it. */
export function LateTooltips() {
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    const move = () => setMoved(true);
    addEventListener("pointermove", move, { once: true, passive: true });
    addEventListener("keydown", move, { once: true });
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("keydown", move);
    };
  }, []);
  if (!moved) return null;
  return (
    <Suspense>
      <TooltipLayer />
    </Suspense>
  );
}
