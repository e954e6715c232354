import { isAnsweredSocially } from "../owner-words/friend-policy.ts";
import type { ReplyExample, ReplyRequest } from "../reply-request.ts";
import { type PromptBudget, takeWithinBudget } from "./prompt-budget.ts";

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

export const sizeOfExchange = ({ reply, incoming }: ReplyExample): number => reply.length + (incoming?.length ?? 0);

/**
 * Each exchange occurs once, and none from the conversation itself. The latest come first, then similar ones, the best last, next to the
 * message. The latest stay the same between messages, even if the room changes a little, so that a server can reuse its cache.
 * @param options.still Leaves out similar exchanges with a context: they would precede the conversation and change with every message.
 */
export function shownExchanges(
  request: ReplyRequest,
  budget: PromptBudget,
  { still = false }: { still?: boolean } = {},
): ReplyExample[] {
  const { replyExamples, exchanges = [], history } = request;
  const known = new Set(
    history.flatMap(({ role, content, claimed }, at) =>
      role === "assistant" && !claimed ? [wordsOf(history[at - 1]?.content, content)] : [],
    ),
  );
  const isNew = (one: ReplyExample): boolean => {
    const said = wordsOf(one.incoming, one.reply);
    return !known.has(said) && known.add(said) !== undefined;
  };
  const newest = takeWithinBudget(exchanges.filter(isNew), budget.exchanges, sizeOfExchange);
  const latest = newest.slice(
    0,
    Math.max(newest.length - (newest.length % TOGETHER), Math.min(TOGETHER, newest.length)),
  );
  for (const { incoming, reply } of newest.slice(latest.length)) known.delete(wordsOf(incoming, reply));
  // A friend's message needs no similar exchanges: they are about other days, and without them the prompt's prefix stays the same.
  const near = isAnsweredSocially(request)
    ? []
    : nearestPeopleFirst(replyExamples.filter(({ incoming }) => !still || incoming === null));
  const alike = takeWithinBudget(near.filter(isNew), budget.replyExamples, sizeOfExchange);
  return [...latest.toReversed(), ...alike.toReversed()];
}

/** Among about equally similar exchanges, those with this contact come first, then the latest. */
function nearestPeopleFirst(replyExamples: readonly ReplyExample[]): ReplyExample[] {
  const best = Math.max(...replyExamples.map(({ score }) => score));
  const tier = ({ score }: ReplyExample) => Math.floor((TIERS * (best - score)) / Math.max(best, Number.EPSILON));
  return replyExamples.toSorted(
    (a, b) =>
      tier(a) - tier(b) ||
      Number(b.sameContact) - Number(a.sameContact) ||
      (b.repliedAt?.getTime() ?? 0) - (a.repliedAt?.getTime() ?? 0),
  );
}

/** The number of latest exchanges is a multiple of this, so that it rarely changes. */
const TOGETHER = 4;

const TIERS = 3;

const wordsOf = (incoming: string | null | undefined, reply: string) => `${oneLine(incoming ?? "")}\n${oneLine(reply)}`;
