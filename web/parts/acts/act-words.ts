import type { Act, ActState } from "#contract/actions/acts.ts";
import type { CallOutcome, Named, ToolCall } from "#contract/actions/tool-call.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";

export const actStates: Record<ActState, { name: string; tone: BadgeTone }> = {
  proposed: { name: "Предложено", tone: "neutral" },
  "waiting-customer": { name: "Ждёт собеседника", tone: "info" },
  "waiting-owner": { name: "Ждёт вас", tone: "warning" },
  calling: { name: "Выполняется", tone: "info" },
  done: { name: "Выполнено", tone: "success" },
  refused: { name: "Не выполнено", tone: "neutral" },
  failed: { name: "Не удалось", tone: "danger" },
  unknown: { name: "Неизвестно", tone: "danger" },
};

/** In place of the state of what was only shown in a test chat: it was not done. */
export const ONLY_SHOWN: { name: string; tone: BadgeTone } = { name: "Только показано", tone: "neutral" };

export const UNKNOWN_ACT = "Неизвестно, выполнено ли. Проверьте в вашей системе";

const outcomes: Record<CallOutcome, string> = {
  done: "выполнено",
  dry: "показано, но не вызвано",
  proof: "сначала нужно подтверждение",
  unproven: "не подтверждено или не найдено",
  limit: "слишком много попыток",
  "waiting-customer": "ждёт согласия собеседника",
  "waiting-owner": "ждёт вашего решения",
  refused: "не выполнено",
  failed: "не удалось",
  unknown: "неизвестно, выполнено ли",
  "needs-model": "нужна модель",
};

export const outcomeName = (outcome: CallOutcome): string => outcomes[outcome];

/** Whether the owner has something to do with it: to decide, or to look. */
export const isOpen = ({ state }: Pick<Act, "state">): boolean => state === "waiting-owner" || state === "unknown";

/** «номер заказа 1042, телефон 4321»; labels begin with a small letter, as they stand in a line. */
export const lineOf = (named: readonly Named[]): string =>
  named.map(({ label, value }) => `${inSentence(label)} ${value}`).join(", ");

const inSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;

/** Values of a result that fit into one line. */
const IN_LINE = 3;

/** What came of a call: «в пути, 12 декабря», or its outcome in words. */
export function cameOf({ outcome, result }: Pick<ToolCall, "outcome" | "result">): string {
  if (outcome !== "done" || result.length === 0) return outcomeName(outcome);
  const shown = result.slice(0, IN_LINE).map(({ value }) => value);
  return result.length > IN_LINE ? `${shown.join(", ")}…` : shown.join(", ");
}
