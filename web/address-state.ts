import { useCallback } from "react";
import { useSearchParams } from "wouter";

type Change<Address> = (changes: Partial<Address>) => void;

/**
 * Returns the address's query and a function to change it in place; values equal to their defaults are left out. `defaults` must be
 * the same object at every call.
 */
export function useAddressState<Address extends Record<keyof Address, string>>(
  defaults: Address,
): [URLSearchParams, Change<Address>] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback<Change<Address>>(
    (changes) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries<string | undefined>(changes)) {
            if (value === undefined || value === defaults[name as keyof Address]) after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setSearch, defaults],
  );
  return [search, change];
}
