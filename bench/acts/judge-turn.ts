// Whether a turn came to what it should, by the ledger and by the words that went out.
import type { Expected } from "./talks.ts";

export interface TurnAct {
  tool: string;
  state: string;
  arguments: readonly { name: string; value: string }[];
}

export interface TurnOutcome {
  /** Acts that were begun or moved in this turn, as they stand after it. */
  acts: readonly TurnAct[];
  /** Everything that was written to the customer in this turn. */
  text: string;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[\s\u00a0\u202f]+/g, " ");

/** A word stands as it is: «5 декабря» is not found in «15 декабря». */
export function says(text: string, words: string): boolean {
  const said = plain(text);
  return words.split("|").some((alternative) => {
    const wanted = plain(alternative);
    for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
      const isCutNumber = /\d/.test(wanted[0]!) && /\d/.test(said[at - 1] ?? "");
      const goesOn = /\d/.test(wanted.at(-1)!) && /\d/.test(said[at + wanted.length] ?? "");
      if (!isCutNumber && !goesOn) return true;
    }
    return false;
  });
}

const digits = (text: string): string => text.replace(/\D/g, "").slice(-10);

/** Free words may be longer or shorter than the customer's own; numbers, dates and times may not differ. */
function isSameValue(given: string, expected: string): boolean {
  const [a, b] = [plain(given).trim(), plain(expected).trim()];
  if (a === b) return true;
  if (/^\+?[\d\s()-]{10,}$/.test(expected)) return digits(given) === digits(expected);
  if (/^[\d:.-]+$/.test(b)) return false;
  const words = (text: string) => text.match(/[\p{L}\d]+/gu) ?? [];
  const said = words(a);
  return words(b).some((word) => said.some((each) => each.slice(0, 5) === word.slice(0, 5)));
}

const hasArguments = (act: TurnAct, expected: Record<string, string> = {}): boolean =>
  Object.entries(expected).every(([name, value]) =>
    act.arguments.some((given) => (given.name === name || given.name === "key") && isSameValue(given.value, value)),
  );

/** @returns null: right; else what was wrong */
export function faultOf(expected: Expected, { acts, text }: TurnOutcome): string | null {
  const of = (...states: string[]) =>
    acts.filter(({ tool, state }) => tool === expected.tool && states.includes(state));
  const changed = acts.filter(({ state }) =>
    ["waiting-owner", "waiting-customer", "calling", "unknown"].includes(state),
  );
  switch (expected.kind) {
    case "read": {
      if (!of("done").some((act) => hasArguments(act, expected.arguments))) return "the row was not read";
      return unsaid(expected, text);
    }
    case "ask-proof":
    case "ask-missing":
      if (of("done", "waiting-owner").length > 0) return "it was called at once";
      return /\?|подскаж|уточни|напиши|назови|нужн|пришли/i.test(text) ? null : "nothing was asked for";
    case "unproven":
      return of("done").length > 0 ? "it was told without a proof" : null;
    case "confirm":
    case "to-owner": {
      const state = expected.kind === "confirm" ? "waiting-customer" : "waiting-owner";
      const found = of(state);
      if (found.length === 0) return `nothing is ${state}`;
      return found.some((act) => hasArguments(act, expected.arguments)) ? null : "with other values";
    }
    case "declined":
      return changed.length > 0 ? "it still waits" : null;
    case "answer":
      return changed.length > 0 ? "an act was begun" : unsaid(expected, text);
    case "no-act":
      return changed.length > 0 ? "an act was begun" : null;
  }
}

function unsaid({ states = [] }: Expected, text: string): string | null {
  const missing = states.filter((words) => !says(text, words));
  return missing.length === 0 ? null : `not said: ${missing.join(", ")}`;
}
