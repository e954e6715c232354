import { useSyncExternalStore } from "react";

export interface TooltipText {
  element: HTMLElement;
  label: string;
  side?: "top" | "right" | "bottom" | "left";
}

let targets: readonly TooltipText[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly TooltipText[]) {
  targets = next;
  for (const listener of listeners) listener();
}

const ids = new WeakMap<HTMLElement, number>();
let nextId = 1;

/** Returns the same id for an element as long as it exists, even when its text changes. */
export function idOfTarget({ element }: TooltipText): number {
  const id = ids.get(element) ?? nextId++;
  ids.set(element, id);
  return id;
}

/** Registers an element with a tooltip; returns a function that unregisters it. */
export function announceTooltip(target: TooltipText): () => void {
  publish([...targets, target]);
  return () => publish(targets.filter((other) => other !== target));
}

export function useTooltipTargets(): readonly TooltipText[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => targets,
  );
}
