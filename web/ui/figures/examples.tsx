import { clsx } from "clsx";
import { createContext, type ReactNode, use, useCallback, useId, useLayoutEffect, useMemo, useState } from "react";

type Register = (name: string) => () => void;

const RegisterContext = createContext<Register | null>(null);
const NamesContext = createContext<readonly string[]>([]);
/** Prefix of a badge's id among the registered names. */
const BADGE = "badge:";
const NOTICE_BADGE = `${BADGE}notice:`;

/** Registers a figure on the screen that the specification fixes and nothing measures; undefined registers none. */
export function useExample(name: string | undefined) {
  const register = use(RegisterContext);
  useLayoutEffect(() => (name === undefined ? undefined : register?.(name)), [register, name]);
}

/**
 * Whether the calling badge of sample content is the one shown on its screen, because others would repeat it. The badge of a notice
 * about the whole screen takes precedence, otherwise the first one.
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

/** Wraps a screen and collects the names of its fixed figures. */
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
 * States once per screen which of its figures are examples: those of the menu, which surrounds every screen, and
 * the screen's own. A mark at each figure would draw more attention than the figures. A badge of sample content
 * replaces this line.
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
