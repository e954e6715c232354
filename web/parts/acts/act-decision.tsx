import type { Act } from "#contract/actions/acts.ts";
import { Button } from "#web/ui/button.tsx";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { AnswerAct } from "./answer-act.tsx";
import { type ActDecision, useDecideAct } from "./queries.ts";

interface ActDecisionProps {
  act: Pick<Act, "id" | "state" | "title" | "ownerQuestion">;
  /** Whether it stands in a card of its own, whose buttons have keys as a draft's have. */
  keys?: boolean;
  whyNot?: string | null;
  /** The act as it stands after the decision. */
  onDecided?: (act: Act) => void;
}

const CHOICES = {
  "waiting-owner": [
    ["approve", "Выполнить", "Выполняем..."],
    ["reject", "Не выполнять", "Отклоняем..."],
  ],
  unknown: [
    ["done", "Выполнено", "Отмечаем..."],
    ["undone", "Не выполнено", "Отмечаем..."],
  ],
} as const;

/** The two buttons of an act that waits for its owner, or of which nobody knows whether it was done. Renders nothing for others. */
export function ActDecisionButtons({ act, keys = false, whyNot = null, onDecided }: ActDecisionProps) {
  const decide = useDecideAct();
  const choose = useSingleFlight(async (decision: ActDecision) => {
    const decided = await decide.mutateAsync({ id: act.id, decision }).catch(() => undefined);
    if (decided) onDecided?.(decided);
  });
  if (act.state !== "waiting-owner" && act.state !== "unknown") return null;
  if (act.state === "waiting-owner" && act.ownerQuestion !== null)
    return <AnswerAct act={act} isAsked={keys} whyNot={whyNot} onDecided={onDecided} />;
  const chosen = decide.isPending ? decide.variables.decision : undefined;
  return (
    <div className="flex flex-wrap gap-2">
      {CHOICES[act.state].map(([decision, label, busyLabel], at) => (
        <Button
          key={decision}
          {...(keys ? { "data-act": at === 0 ? "send" : "reject", variant: at === 0 ? "primary" : "outline" } : {})}
          {...(keys ? {} : { size: "sm", "aria-label": `${label}: ${act.title}` })}
          className="max-sm:flex-1"
          whyNot={whyNot}
          busy={chosen === decision}
          disabled={chosen !== undefined}
          onClick={() => void choose(decision)}
        >
          {chosen === decision ? busyLabel : label}
          {keys && chosen === undefined && <KeyHint>{at === 0 ? "A" : "R"}</KeyHint>}
        </Button>
      ))}
    </div>
  );
}
