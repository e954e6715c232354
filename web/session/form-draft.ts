import { useCallback, useEffect, useRef, useState } from "react";
import type { FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import { DRAFT_PREFIX } from "#web/drafts.ts";
import { useSession } from "./session.tsx";

const NO_SECRETS: readonly never[] = [];

/** A field's typed value and its value before. */
interface Typed {
  from: unknown;
  to: unknown;
}

interface FormDraft {
  /** What came back into the form: all that had been typed, or that without the fields which somebody has changed meanwhile. */
  restored: "whole" | "partly" | null;
  /** Gives the form its first values again and forgets what was typed. */
  undo: () => void;
  /** To be called when the form was sent or cleared. */
  drop: () => void;
}

/**
 * Keeps what is typed into a long form through a reload and through a session that expired, for this tab and this person. Only fields
 * that were changed are kept, each with what it stood for: a field that has another value when the form opens again keeps that value.
 * Passwords and keys must be named in `secrets`, a constant list: these fields are never kept.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  secrets: readonly (keyof Values)[] = NO_SECRETS,
): FormDraft {
  const { user } = useSession();
  const key = `${DRAFT_PREFIX}${user?.id ?? ""}:${name}`;
  const { reset, getValues, setValue, subscribe } = form;
  const first = useRef<Values>(undefined);
  const [restored, setRestored] = useState<FormDraft["restored"]>(null);
  useEffect(() => {
    first.current ??= structuredClone(getValues());
    const before = first.current;
    const saved = readDraft(sessionStorage.getItem(key));
    const fields = Object.keys(saved).filter((field) => field in before);
    const fitting = fields.filter((field) => same(saved[field]!.from, before[field]));
    for (const field of fitting) {
      setValue(field as Path<Values>, saved[field]!.to as PathValue<Values, Path<Values>>, { shouldDirty: true });
    }
    if (fields.length > 0) setRestored(fitting.length === fields.length ? "whole" : "partly");
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const typed = Object.entries(values)
          .filter(([field, value]) => !secrets.includes(field) && !same(value, before[field]))
          .map(([field, to]): [string, Typed] => [field, { from: before[field], to }]);
        try {
          if (typed.length === 0) sessionStorage.removeItem(key);
          else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
        } catch {
          // The text is larger than the browser keeps: typing goes on, and no old draft comes back in its place.
          sessionStorage.removeItem(key);
        }
      },
    });
  }, [key, getValues, setValue, subscribe, secrets]);
  const drop = useCallback(() => {
    sessionStorage.removeItem(key);
    setRestored(null);
  }, [key]);
  const undo = useCallback(() => {
    reset(first.current);
    drop();
  }, [reset, drop]);
  return { restored, undo, drop };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function readDraft(text: string | null): Record<string, Typed> {
  try {
    const fields = Object.entries(JSON.parse(text ?? "{}") as Record<string, Typed | null>);
    return Object.fromEntries(fields.filter((entry): entry is [string, Typed] => typeof entry[1]?.to !== "undefined"));
  } catch {
    return {};
  }
}
