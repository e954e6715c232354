import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Health, HealthState } from "#contract/health.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

interface ShownState {
  /** What a card of one fact says. */
  word: string;
  /** What is said of the server as a whole. */
  sentence: string;
  tone: BadgeTone;
  Icon: LucideIcon;
}

export const STATES: Record<HealthState, ShownState> = {
  ok: { word: "В порядке", sentence: "Всё работает", tone: "success", Icon: CircleCheck },
  unset: { word: "Не настроено", sentence: "Работает", tone: "neutral", Icon: CircleDashed },
  attention: {
    word: "Внимание",
    sentence: "Работает, но есть на что посмотреть",
    tone: "warning",
    Icon: TriangleAlert,
  },
  failure: { word: "Сбой", sentence: "Часть сервера не работает", tone: "danger", Icon: CircleAlert },
};

/** What is said of the server as a whole, with how much of it nobody has set up: that is no failure, and no green light either. */
export function headline({ state, facts, alertWays }: Health): string {
  const unset = facts.filter((fact) => fact.state === "unset").length + (alertWays.length === 0 ? 1 : 0);
  if (unset === 0) return STATES[state].sentence;
  return `${STATES[state === "ok" ? "unset" : state].sentence}; не настроено: ${unset}`;
}
