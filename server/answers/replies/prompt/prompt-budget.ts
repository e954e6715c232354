/** Distributes a prompt's characters among its parts, so that none starves another. */

/** Maximum characters of each part; items that do not fit are left out whole, the weakest first. */
export interface PromptBudget {
  person: number;
  chunks: number;
  replyExamples: number;
  exchanges: number;
  history: number;
  notes: number;
}

/** Characters for a model with unknown context: about 10,000 tokens of Russian. */
export const DEFAULT_PROMPT_CHARS = 29_000;
/** Maximum share of the usual room for each part; it grows with a larger room. */
const MAX_BUDGET: PromptBudget = {
  person: 3000,
  chunks: 8000,
  replyExamples: 3000,
  exchanges: 5000,
  history: 6000,
  notes: 4000,
};
/**
 * Minimum characters for the twin's identity. It begins every prompt: if it shrank gradually with the room, a slightly slower machine
 * would have to read the whole prompt again.
 */
const MIN_PERSON_CHARS = 700;
/**
 * question: the sources come first, then the conversation. chat: past exchanges come first, because they show how the owner continues
 * when nothing is looked up.
 */
type Purpose = "question" | "chat";
type SharedPart = Exclude<keyof PromptBudget, "person">;
const WEIGHTS: Record<Purpose, Record<SharedPart, number>> = {
  question: { chunks: 6, replyExamples: 1, exchanges: 1, history: 3, notes: 1 },
  chat: { chunks: 2, replyExamples: 3, exchanges: 5, history: 4, notes: 1 },
};
const SHARED_PARTS = Object.keys(WEIGHTS.question) as SharedPart[];

/** Worst case of Russian characters per token for tokenizers of small models. */
const CHARS_PER_TOKEN = 2.4;
/** Characters of the rules and the style profile, which do not shrink. */
const FIXED_CHARS = 3200;
export const MIN_PROMPT_CHARS = 1500;
/** A longer prompt costs more without better answers. */
const MAX_ROOM = DEFAULT_PROMPT_CHARS * 4;

/** Returns the characters available to a prompt. @param contextTokens the model's context, including the answer of `answerTokens` */
export function promptCharsFor(contextTokens: number, answerTokens: number): number {
  const chars = (contextTokens - answerTokens) * CHARS_PER_TOKEN - FIXED_CHARS;
  return Math.floor(Math.min(MAX_ROOM, Math.max(MIN_PROMPT_CHARS, chars)));
}

/**
 * Satisfies the identity part first, then shares `room` by weight; what one part does not need goes to the others.
 * @param needs characters of all available items of each part
 */
export function allocateBudget(room: number, needs: PromptBudget, purpose: Purpose = "question"): PromptBudget {
  const weights = WEIGHTS[purpose];
  const growth = Math.max(1, room / DEFAULT_PROMPT_CHARS);
  const wanted = (part: SharedPart) => Math.min(needs[part], MAX_BUDGET[part] * growth);
  const person = Math.min(
    needs.person,
    room < DEFAULT_PROMPT_CHARS / 3 ? MIN_PERSON_CHARS : MAX_BUDGET.person * growth,
  );
  const budget: PromptBudget = { person, chunks: 0, replyExamples: 0, exchanges: 0, history: 0, notes: 0 };
  let left = Math.max(0, room - person);
  let open = [...SHARED_PARTS];
  while (open.length > 0) {
    const weight = open.reduce((sum, part) => sum + weights[part], 0);
    const content = open.filter((part) => wanted(part) <= (left * weights[part]) / weight);
    for (const part of content.length > 0 ? content : open)
      budget[part] = content.length > 0 ? wanted(part) : Math.floor((left * weights[part]) / weight);
    if (content.length === 0) break;
    left -= content.reduce((sum, part) => sum + wanted(part), 0);
    open = open.filter((part) => !content.includes(part));
  }
  return budget;
}

export function takeWithinBudget<T>(items: readonly T[], budget: number, size: (item: T) => number): T[] {
  let left = budget;
  const kept: T[] = [];
  for (const item of items) {
    left -= size(item);
    if (left < 0) break;
    kept.push(item);
  }
  return kept;
}
