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
  /** What the form restored: all typed values, or only those of fields that nobody has changed in the meantime. */
  restored: "whole" | "partly" | null;
  /** Resets the form to its initial values and forgets the typed ones. */
  undo: () => void;
  /** Must be called when the form was sent or cleared. */
  drop: () => void;
}

/**
 * Keeps the input of a long form through a reload and an expired session, for this tab and this user. Only changed fields are kept,
 * each with its initial value: a field whose initial value differs when the form opens again keeps the new one.
 * Passwords and keys must be named in the constant list `secrets`; these fields are never kept.
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
          // The text exceeds the browser's quota: typing continues, and no older draft must be restored in its place.
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
