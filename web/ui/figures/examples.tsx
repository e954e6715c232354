import { clsx } from "clsx";
import { createContext, type ReactNode, use, useCallback, useId, useLayoutEffect, useMemo, useState } from "react";

type Register = (name: string) => () => void;

const RegisterContext = createContext<Register | null>(null);
const NamesContext = createContext<readonly string[]>([]);
/** Precedes the id of a badge among the names. */
const BADGE = "badge:";
const NOTICE_BADGE = `${BADGE}notice:`;

/** Names a figure of the specification that stands on the screen and is not measured; undefined: there is none. */
export function useExample(name: string | undefined) {
  const register = use(RegisterContext);
  useLayoutEffect(() => (name === undefined ? undefined : register?.(name)), [register, name]);
}

/**
 * Whether the badge of sample content that asks this is the one of its screen: the others would only repeat it. The badge of a notice
 * about the whole screen goes before the others, else the first that came.
 */
export function useFirstBadge(ofNotice: boolean): boolean {
  const id = useId();
  const alone = use(RegisterContext) === null;
  const name = (ofNotice ? NOTICE_BADGE : BADGE) + id;
  useExample(name);
  const names = use(NamesContext);
  const first = names.find((one) => one.startsWith(NOTICE_BADGE)) ?? names.find((one) => one.startsWith(BADGE));
  return first === name || alone;
}

/** Around a screen: collects the names of the fixed figures that stand on it. */
export function Examples({ children }: { children: ReactNode }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const register = useCallback<Register>((name) => {
    setNames((before) => [...before, name]);
    return () => setNames((before) => before.toSpliced(before.indexOf(name), 1));
  }, []);
  const distinct = useMemo(() => [...new Set(names)], [names]);
  return (
    <RegisterContext value={register}>
      <NamesContext value={distinct}>{children}</NamesContext>
    </RegisterContext>
  );
}

/**
 * Says once for a whole screen which of its figures are examples: those of the menu, which stand around every screen, and
 * the screen's own. A mark at each figure would draw more attention than the figures. Where sample content has its badge,
 * that is the mark.
 */
export function ExamplesLine({ className }: { className?: string }) {
  const names = use(NamesContext);
  if (names.some((name) => name.startsWith(BADGE))) return null;
  return (
    <p className={clsx("text-sm text-subtle", className)}>
      Пример: {["тариф в меню", "числа на значках", ...names].join(", ")}.
    </p>
  );
}
