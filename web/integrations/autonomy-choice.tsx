import { useState } from "react";
import type { Integration } from "#contract/integrations/integrations.ts";
import { type AutonomyLevel, autonomyLevels } from "#web/parts/autonomy-levels.ts";
import { trackLabel } from "#web/parts/confidence-label.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useUpdateIntegration } from "./queries.ts";

/** Choice of what the twin may do without approval; it applies from the next message on. */
export function AutonomyChoice({ integration: { id, autonomy, track } }: { integration: Integration }) {
  const update = useUpdateIntegration();
  const [chosen, setChosen] = useState(autonomy);

  function choose({ value, name }: AutonomyLevel) {
    setChosen(value);
    update.mutate(
      { id, autonomy: value },
      {
        onSuccess: () => toast({ title: `Ответы: ${name.toLocaleLowerCase("ru-RU")}` }),
        onError: () => setChosen(autonomy),
      },
    );
  }

  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Самостоятельность двойника</legend>
      {autonomyLevels.map((level) => (
        <label
          key={level.value}
          className="flex cursor-pointer gap-3 rounded-md px-3 py-2.5 hover:bg-hover has-checked:bg-primary-soft has-disabled:cursor-not-allowed"
        >
          <input
            type="radio"
            name="autonomy"
            value={level.value}
            checked={chosen === level.value}
            onChange={() => choose(level)}
            className="mt-1 size-4.5 shrink-0 accent-primary"
          />
          <span className="min-w-0">
            <span className="block font-medium text-md">{level.name}</span>
            <span className="block text-md text-muted">{level.explanation}</span>
            {level.value === "confident" && track !== undefined && (
              <span className="block text-md text-muted">До сих пор {trackLabel(track)}.</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
