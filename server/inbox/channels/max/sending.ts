/**
 * Sends answers. If the delivery is unknown, it reads the conversation back, because MAX has no key that makes a repeated send harmless.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { Outgoing, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import { type MaxCall, MaxRefusal } from "./api.ts";
import { CONNECTION_LOST, sendFailure } from "./errors.ts";

export const MAX_CHARS = 4000;
/** MAX accepts two messages a second in a dialog. */
export const PART_INTERVAL_MS = 500;
/** Milliseconds before each check of the conversation, because a message may appear late. */
export const DELIVERY_CHECK_DELAYS_MS: readonly number[] = [500, 1_500, 3_000];
const LOOK_MS = 5_000;
const LOOKED_AT = 100;

export interface Sending {
  call: MaxCall;
  /** The bot's own id; null: not known. */
  botId: string | null;
  sendMs: number;
  partMs: number;
  looksMs: readonly number[];
}

const Sent = z.object({ message: z.object({ body: z.object({ mid: z.string() }) }) });

export async function sendParts(sending: Sending, out: Outgoing, ending?: AbortSignal): Promise<SendResult> {
  const externalIds: string[] = [];
  try {
    for (const part of partsOf(out, MAX_CHARS).slice(out.delivered)) {
      if (externalIds.length > 0) await pause(sending.partMs, undefined, { signal: ending });
      const begun = Date.now();
      try {
        externalIds.push(await sendOne(sending, out.conversation, part, ending));
      } catch (error) {
        if (sendFailure(error).kind !== "unknown" || ending?.aborted) throw error;
        const [found] = await lookFor(sending, out.conversation, [part], { since: begun, besides: externalIds });
        if (found === undefined) throw error;
        externalIds.push(found);
      }
    }
    return { ok: true, externalIds };
  } catch (error) {
    return { externalIds, ...sendFailure(error) };
  }
}

async function sendOne(
  { call, sendMs }: Sending,
  chat: string,
  text: string,
  ending: AbortSignal | undefined,
): Promise<string> {
  const post = async (body: object) => {
    // Keeps MAX from fetching the links of an answer for previews.
    const query = { chat_id: chat, disable_link_preview: "true" };
    const signal = AbortSignal.any([AbortSignal.timeout(sendMs), ...(ending ? [ending] : [])]);
    const answer = await call("/messages", { method: "POST", query, body, signal });
    return Sent.parse(answer.body).message.body.mid;
  };
  return post({ text, format: "markdown" }).catch((error: unknown) => {
    // The markup may be invalid: MAX then refuses the message, so its text is sent without markup.
    if (error instanceof MaxRefusal && error.status === 400) return post({ text });
    throw error;
  });
}

/** Returns whether an answer has been in the conversation since then. */
export async function findAnswer(sending: Sending, out: Outgoing, since: Date): Promise<SendResult> {
  const parts = partsOf(out, MAX_CHARS).slice(out.delivered);
  const externalIds = await lookFor(sending, out.conversation, parts, { since: since.getTime(), besides: [] });
  return externalIds.length === parts.length
    ? { ok: true, externalIds }
    : { ok: false, kind: "unknown", message: CONNECTION_LOST, externalIds };
}

const Listed = z.object({
  messages: z.array(
    z.object({
      sender: z.optional(z.nullable(z.object({ user_id: z.int(), is_bot: z.optional(z.boolean()) }))),
      timestamp: z.int(),
      body: z.object({ mid: z.string(), text: z.optional(z.nullable(z.string())) }),
    }),
  ),
});

interface Look {
  /** Our clock when the send began. */
  since: number;
  besides: readonly string[];
}

/** Checks until all parts are found, or the checks are used up. @returns the ids of consecutive parts found, from the first */
async function lookFor(
  { call, botId, looksMs }: Sending,
  chat: string,
  parts: readonly string[],
  { since, besides }: Look,
): Promise<string[]> {
  let found: string[] = [];
  for (const wait of looksMs) {
    await pause(wait);
    try {
      const query = { chat_id: chat, count: String(LOOKED_AT) };
      const { body, at } = await call("/messages", { query, signal: AbortSignal.timeout(LOOK_MS) });
      // The two clocks differ, so the start of the send is computed on MAX's clock.
      const begun = at === null ? since : at - (Date.now() - since);
      const own = Listed.parse(body)
        .messages.filter(({ sender, timestamp, body: { mid } }) => {
          const ours = botId === null ? sender?.is_bot === true : String(sender?.user_id) === botId;
          return ours && timestamp >= begun && !besides.includes(mid);
        })
        .sort((one, other) => one.timestamp - other.timestamp);
      found = inOrder(parts, own);
      if (found.length === parts.length) return found;
    } catch {
      // The next check may succeed; otherwise the delivery is unknown.
    }
  }
  return found;
}

function inOrder(parts: readonly string[], own: z.infer<typeof Listed>["messages"]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const part of parts) {
    const at = own.findIndex(({ body }, place) => place >= from && isSameText(part, body.text ?? ""));
    if (at < 0) break;
    found.push(own[at]!.body.mid);
    from = at + 1;
  }
  return found;
}

/** Returns whether a message shows the sent text: the platform removes markup, and keeps only the label of a link. */
function isSameText(sent: string, shown: string): boolean {
  if (sent.trim() === shown.trim()) return true;
  const letters = lettersOf(sent.replace(/\]\(https?:\/\/[^\s()]+\)/g, "]"));
  return letters !== "" && letters === lettersOf(shown);
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");
