import { type ReactNode, useState } from "react";
import type { Gap } from "#contract/gaps.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";

/** The near gaps that an answer fits too: the ids of the ticked ones, and the field in which they are ticked. */
export function useNearGaps(near: Gap["near"], busy: boolean): { also: string[]; field: ReactNode } {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  // Gaps that were decided in the meantime are no longer offered.
  const also = near.filter(({ id }) => ticked.includes(id)).map(({ id }) => id);
  const field = near.length > 0 && (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium text-md">Отметьте, на что этот ответ тоже подходит</legend>
      {near.map(({ id, question }) => (
        <Checkbox
          key={id}
          disabled={busy}
          checked={also.includes(id)}
          onChange={({ target }) =>
            setTicked((before) => (target.checked ? [...before, id] : before.filter((one) => one !== id)))
          }
        >
          {question}
        </Checkbox>
      ))}
    </fieldset>
  );
  return { also, field };
}
