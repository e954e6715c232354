import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Health, HealthFact, HealthState } from "#contract/health.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";

interface ShownState {
  word: string;
  /** Sentence about the whole server; the problems follow it. */
  sentence: string;
  tone: BadgeTone;
  Icon: LucideIcon;
}

const STATES: Record<HealthState, ShownState> = {
  ok: { word: "В порядке", sentence: "Сервер работает исправно", tone: "success", Icon: CircleCheck },
  unset: { word: "Не настроено", sentence: "Сервер работает исправно", tone: "neutral", Icon: CircleDashed },
  attention: {
    word: "Внимание",
    sentence: "Сервер работает, но\u00a0требует внимания",
    tone: "warning",
    Icon: TriangleAlert,
  },
  failure: { word: "Сбой", sentence: "Часть сервера не работает", tone: "danger", Icon: CircleAlert },
};

/** @param children replace the state's own word */
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

/** Sorts facts that should be checked first; the rest keeps its order. */
export const sortByUrgency = (facts: readonly HealthFact[]): HealthFact[] =>
  facts.toSorted((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state));

/** The server's state in a sentence that names what should be checked. */
export function headline({ state, facts }: Health): string {
  const said = STATES[state].sentence;
  const named = facts.filter((fact) => fact.state === state).map(({ title }) => inSentence(title));
  return state === "ok" || state === "unset" ? `${said}.` : `${said}: ${named.join(", ")}.`;
}

/** Names unconfigured parts that the headline does not name; null when there are none. */
export function describeUnconfigured({ state: gravest, facts, alertWays }: Health): string | null {
  const unset = facts
    .filter(({ state, isUnconfigured }) => state === "unset" || (isUnconfigured && state !== gravest))
    .map(({ title }) => inSentence(title));
  if (alertWays.length === 0) unset.push("уведомления о\u00a0сбоях");
  return unset.length === 0 ? null : `Не\u00a0настроено: ${unset.join(", ")}.`;
}

const inSentence = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);
