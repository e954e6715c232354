import { useCallback, useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { DRAFT_PREFIX } from "./drafts.ts";
import { useSession } from "./session.tsx";

const NO_SECRETS: readonly never[] = [];

/**
 * Keeps what is typed into a long form through a reload and through a session that expired, for this tab and this person.
 * Call the returned function when the form was sent or cleared. Passwords and keys must be named in `secrets`, a constant list:
 * these fields are never kept.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  secrets: readonly (keyof Values)[] = NO_SECRETS,
): () => void {
  const { user } = useSession();
  const key = `${DRAFT_PREFIX}${user?.id ?? ""}:${name}`;
  const { reset, getValues, subscribe } = form;
  useEffect(() => {
    const saved = sessionStorage.getItem(key);
    if (saved) reset({ ...getValues(), ...JSON.parse(saved) }, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        try {
          const kept = Object.entries(values).filter(([field]) => !secrets.includes(field));
          sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
        } catch {
          // The text is larger than the browser keeps: typing goes on, and no old draft comes back in its place.
          sessionStorage.removeItem(key);
        }
      },
    });
  }, [key, reset, getValues, subscribe, secrets]);
  return useCallback(() => sessionStorage.removeItem(key), [key]);
}
