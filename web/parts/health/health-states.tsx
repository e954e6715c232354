import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Health, HealthFact, HealthState } from "#contract/health.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";

interface ShownState {
  /** What is said of one fact. */
  word: string;
  /** What is said of the server as a whole. */
  sentence: string;
  tone: BadgeTone;
  Icon: LucideIcon;
}

const STATES: Record<HealthState, ShownState> = {
  ok: { word: "В порядке", sentence: "Всё работает", tone: "success", Icon: CircleCheck },
  unset: { word: "Не настроено", sentence: "Работает", tone: "neutral", Icon: CircleDashed },
  attention: {
    word: "Внимание",
    sentence: "Работает, но есть замечания",
    tone: "warning",
    Icon: TriangleAlert,
  },
  failure: { word: "Сбой", sentence: "Часть сервера не работает", tone: "danger", Icon: CircleAlert },
};

/** @param children in place of the state's own word */
export function StateBadge({ state, children }: { state: HealthState; children?: ReactNode }) {
  const { word, tone, Icon } = STATES[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="icon size-4!" />
      {children || word}
    </Badge>
  );
}

const URGENCY: readonly HealthState[] = ["failure", "attention", "ok", "unset"];

/** What somebody should look at comes first; the rest stays in its order. */
export const byUrgency = (facts: readonly HealthFact[]): HealthFact[] =>
  facts.toSorted((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state));

/** What is said of the server as a whole, with how much of it nobody has set up: that is no failure, and no green light either. */
export function headline({ state, facts, alertWays }: Health): string {
  const unset = facts.filter((fact) => fact.state === "unset").length + (alertWays.length === 0 ? 1 : 0);
  if (unset === 0) return STATES[state].sentence;
  return `${STATES[state === "ok" ? "unset" : state].sentence}. Не настроено: ${unset}`;
}
