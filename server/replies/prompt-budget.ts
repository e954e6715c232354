/** How much of each part a prompt holds: what there is room for, shared so that no part starves another. */

/** Characters at most, of each part; what does not fit is left out whole, the weakest first. */
export interface PromptBudget {
  person: number;
  passages: number;
  exemplars: number;
  exchanges: number;
  history: number;
  facts: number;
  notes: number;
}

/** Of a model whose context is not known: about 10,000 tokens of Russian. */
export const USUAL_ROOM = 29_000;
/** What each part may take of the usual room; of a larger one more. */
const MOST: PromptBudget = {
  person: 3000,
  passages: 8000,
  exemplars: 3000,
  exchanges: 3000,
  history: 6000,
  facts: 2000,
  notes: 4000,
};
/** Where there is too little for all: what a question is answered from comes first, then the talk. */
const WEIGHT: PromptBudget = { person: 2, passages: 6, exemplars: 1, exchanges: 1, history: 3, facts: 1, notes: 1 };
const PARTS = Object.keys(MOST) as (keyof PromptBudget)[];

/** Russian of the tokenizers of small models, at its worst. */
const CHARS_PER_TOKEN = 2.4;
/** The rules and the measured manner, which do not shrink. */
const FIXED_CHARS = 3200;
export const LEAST_ROOM = 1500;
/** Beyond, more to read makes no better answers, and costs. */
const MOST_ROOM = USUAL_ROOM * 4;

/** @param contextTokens what the model sees at once, the answer of `answerTokens` included */
export function roomIn(contextTokens: number, answerTokens: number): number {
  const chars = (contextTokens - answerTokens) * CHARS_PER_TOKEN - FIXED_CHARS;
  return Math.floor(Math.min(MOST_ROOM, Math.max(LEAST_ROOM, chars)));
}

/**
 * Shares `room` by weight; what a part does not need goes to the others.
 * @param needs characters of all that there is of each
 */
export function shareRoom(room: number, needs: PromptBudget): PromptBudget {
  const growth = Math.max(1, room / USUAL_ROOM);
  const wanted = (part: keyof PromptBudget) => Math.min(needs[part], MOST[part] * growth);
  const budget: PromptBudget = { person: 0, passages: 0, exemplars: 0, exchanges: 0, history: 0, facts: 0, notes: 0 };
  let left = room;
  let open = [...PARTS];
  while (open.length > 0) {
    const weight = open.reduce((sum, part) => sum + WEIGHT[part], 0);
    const content = open.filter((part) => wanted(part) <= (left * WEIGHT[part]) / weight);
    // Nobody is content with their share: each gets it.
    for (const part of content.length > 0 ? content : open)
      budget[part] = content.length > 0 ? wanted(part) : Math.floor((left * WEIGHT[part]) / weight);
    if (content.length === 0) break;
    left -= content.reduce((sum, part) => sum + wanted(part), 0);
    open = open.filter((part) => !content.includes(part));
  }
  return budget;
}
