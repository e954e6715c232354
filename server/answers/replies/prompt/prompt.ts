import { DEFERRED_ACTS } from "#server/knowledge/language/everyday.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { readPieces } from "../extraction/read-pieces.ts";
import { type Friend, isAnsweredSocially } from "../owner-words/friend-policy.ts";
import type { ReplyExample, ReplyRequest } from "../reply-request.ts";
import { dayIn } from "./clock.ts";
import { allocateBudget, DEFAULT_PROMPT_CHARS, type PromptBudget, takeWithinBudget } from "./prompt-budget.ts";
import { excerpts, onlyPieces, sizeOfChunk } from "./prompt-excerpts.ts";
import { oneLine, shownExchanges, sizeOfExchange } from "./prompt-exchanges.ts";
import { fenceOf, withoutFence } from "./prompt-fence.ts";
import {
  alternating,
  fenced,
  notes,
  person,
  present,
  shownTurns,
  type Turns,
  targetStyle,
  written,
} from "./prompt-parts.ts";
import { HEADINGS, NO_ANSWER, rulesFor } from "./prompt-rules.ts";

export interface Prompt {
  system: string;
  messages: Turns;
  /** Random delimiter around untrusted data; replies must not reveal it. */
  fence: string;
  /** Whether nothing before the conversation depends on the message, so that the next prompt starts with the same text. */
  still: boolean;
}

export interface PromptOptions {
  /** Characters for all variable parts; see `promptCharsFor`. */
  room?: number;
  /** Faults of the previous answer; null or absent in the first attempt. */
  complaint?: string | null;
  /** Shortens the prompt for a small model where `isBrief` allows it. */
  brief?: boolean;
}

/**
 * Builds the prompt. The system part (identity, style, rules) is the same for every reply of a twin, so that a server can reuse its
 * cache. The owner's past exchanges follow as turns, because continuing a dialogue imitates best; then comes the conversation. The last
 * turn has the fenced sources and the message, because a small model uses best what stands next to the question.
 */
export function buildPrompt(
  request: ReplyRequest,
  { room = DEFAULT_PROMPT_CHARS, complaint = null, brief: asked = false }: PromptOptions = {},
): Prompt {
  const fence = fenceOf(request.payer?.twinId ?? "");
  // A greeting needs no facts, and the answer should not mention any.
  const found = request.plan.kind === "smalltalk" || isAnsweredSocially(request) ? [] : request.chunks;
  const brief = asked && isBrief(request, found);
  const budget = partsOf(request, found, { room, brief });
  const shown = shownExchanges(request, budget, { still: brief });
  const system = written([
    person(request, budget.person),
    targetStyle(request),
    rulesFor(fence),
    request.friend ? FRIEND : "",
    // Placed last, because it changes daily and would invalidate the cached prefix after it.
    request.now === undefined ? "" : `Сегодня ${dayIn(request.now)}.`,
  ]);
  const material = written([
    corrected(request, fence),
    samples(shown, fence),
    request.plan.kind === "smalltalk" || isAnsweredSocially(request)
      ? ""
      : chunks(
          brief
            ? onlyPieces(found, { first: budget.chunks, all: BRIEF_CHARS }, readPieces(request, BRIEF_CHARS))
            : excerpts(found, budget.chunks, [...readPieces(request), ...(request.pieces ?? [])]),
          fence,
        ),
    notes(request, budget.notes, fence),
    present(request, fence),
    isAnsweredSocially(request) ? toFriend(request.friend) : "",
    complaint ?? "",
  ]);
  const before = shown.filter(({ incoming }) => incoming !== null);
  const messages = conversation(request, before, { history: budget.history, material, fence });
  const still = before.every((one) => !request.replyExamples.includes(one));
  return { system, messages, fence, still };
}

/**
 * Whether a small model may read less. Unreviewed replies send only what the extractive reader's pieces support
 * (checking/small-model.ts), so the rest of the chunks is useless. Similar exchanges are left out too: they precede the conversation,
 * which the model would have to read again for every question.
 */
const isBrief = ({ plan, drafted = false }: ReplyRequest, found: readonly ReplyChunk[]): boolean =>
  found.length > 0 && !drafted && (plan.kind === "knowledge" || plan.kind === "quoted" || plan.kind === "unknown");

/** Characters of the sources in a brief prompt, unless the first piece is longer. A CPU core reads about sixty a second. */
const BRIEF_CHARS = 320;

function partsOf(
  request: ReplyRequest,
  found: readonly ReplyChunk[],
  { room, brief }: { room: number; brief: boolean },
): PromptBudget {
  const sum = <T>(items: readonly T[], size: (item: T) => number) => items.reduce((all, item) => all + size(item), 0);
  const needs = {
    person: person(request, Number.POSITIVE_INFINITY).length,
    // Sizes that depend on each message's hits would cut the conversation at a different turn every time and invalidate the cache.
    chunks: brief ? Number.POSITIVE_INFINITY : sum(found, sizeOfChunk),
    replyExamples: brief ? Number.POSITIVE_INFINITY : sum(request.replyExamples, sizeOfExchange),
    exchanges: sum(request.exchanges ?? [], sizeOfExchange),
    history: sum(shownTurns(request), ({ content }) => content.length),
    notes: (request.notes ?? "").length,
  };
  return allocateBudget(room, needs, isChat(request) ? "chat" : "question");
}

/** Whether past exchanges matter more than data: for small talk, recurring messages, friends and remarks. */
const isChat = ({ plan, friend, message }: ReplyRequest): boolean =>
  plan.kind === "smalltalk" || plan.kind === "recurring" || !!friend || wantOf(message) === "statement";

function corrected({ corrected: found }: ReplyRequest, fence: string): string {
  if (!found) return "";
  const question = found.question === null ? "" : `Вопрос: ${oneLine(found.question)}\n`;
  return `Владелец исправил твой ответ на такой вопрос. Это верно, что бы ни говорили документы и примеры; скажи это:\n${fenced(`${question}Ответ: ${found.text}`, fence)}`;
}

/** Replies whose context this audience may not see; they are shown alone as samples of the owner's style. */
function samples(replyExamples: readonly ReplyExample[], fence: string): string {
  const alone = replyExamples.filter((replyExample) => replyExample.incoming === null);
  if (alone.length === 0) return "";
  return `${HEADINGS.samples}\n${alone.map((replyExample) => fenced(replyExample.reply, fence)).join("\n")}`;
}

function chunks(found: readonly ReplyChunk[], fence: string): string {
  if (found.length === 0) return HEADINGS.nothing;
  const blocks = found.map(
    ({ name, heading, text }) => `[${oneLine(name)}${heading ? `: ${oneLine(heading)}` : ""}]\n${text.trim()}`,
  );
  return `${HEADINGS.found}\n${fenced(blocks.join("\n\n"), fence)}`;
}

const PUTS_OFF = "Решает владелец: не соглашайся и не отказывайся, скажи по-дружески, что ответишь чуть позже.";

/** Instructs the model to respond socially to a friend; constant, so that the prompt's prefix stays cached. */
const FRIEND = `Пишет близкий человек. В обычном разговоре откликайся на сказанное одной-двумя короткими фразами, тепло и так, как пишет владелец. Не рассказывай, где владелец, что он делает и что с ним было, ничего не обещай. Слово ${NO_ANSWER} в обычном разговоре не нужно.`;

const toFriend = ({ act }: Friend): string => `Это обычный разговор.${DEFERRED_ACTS.has(act) ? ` ${PUTS_OFF}` : ""}`;

/** Returns the turns of the conversation. The fence is removed from the asker's words, so that only this server can place it. */
function conversation(
  request: ReplyRequest,
  replyExamples: readonly ReplyExample[],
  { history: budget, material, fence }: { history: number; material: string; fence: string },
): Turns {
  const turns: HistoryTurn[] = [];
  for (const { incoming, reply } of replyExamples) {
    turns.push({ role: "user", content: incoming ?? "" }, { role: "assistant", content: reply });
  }
  const history = takeWithinBudget(
    shownTurns(request).toReversed(),
    budget,
    (turn) => turn.content.length,
  ).toReversed();
  if (history[0]?.role === "assistant") turns.push({ role: "user", content: "(начало разговора не показано)" });
  const shown = [...turns, ...history].map((turn) => ({ ...turn, content: withoutFence(turn.content, fence) }));
  const message = withoutFence(request.message, fence);
  const last = material === "" ? message : `${material}\n\n${HEADINGS.message}\n${message}`;
  return alternating([...shown, { role: "user", content: last }]);
}
