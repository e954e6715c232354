import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import type { HealthState } from "#contract/health.ts";
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
  attention: {
    word: "Внимание",
    sentence: "Работает, но есть на что посмотреть",
    tone: "warning",
    Icon: TriangleAlert,
  },
  failure: { word: "Сбой", sentence: "Часть сервера не работает", tone: "danger", Icon: CircleAlert },
};
