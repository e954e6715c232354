/** A bot in the messenger MAX: receives people's messages in dialogs and answers there. https://dev.max.ru/docs-api */
import * as z from "zod/mini";
import type { Channel, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal } from "#server/inbox/channel-protocol/fetch-media.ts";
import { isSame } from "#server/inbox/channel-protocol/signature.ts";
import { type MaxApi, maxCalls } from "./api.ts";
import { MEDIA_HOSTS, MEDIA_REDIRECTS } from "./attachments.ts";
import { rethrowTrouble } from "./errors.ts";
import { poll, subscribe, unsubscribe } from "./receiving.ts";
import {
  DELIVERY_CHECK_DELAYS_MS,
  findAnswer,
  MAX_CHARS,
  PART_INTERVAL_MS,
  type Sending,
  sendParts,
} from "./sending.ts";
import { reportedOf } from "./update.ts";

const VERIFY_MS = 5_000;
const SEND_MS = 20_000;
const SECRET_HEADER = "x-max-bot-api-secret";

interface MaxOptions extends MaxApi {
  /** The id that `verify` has found; null: it was not called yet. */
  botId: string | null;
  sendMs?: number;
  partMs?: number;
  /** Milliseconds before each check of a conversation for a message with an unknown result. */
  looksMs?: readonly number[];
}

const Me = z.object({
  user_id: z.int(),
  first_name: z.optional(z.nullable(z.string())),
  username: z.optional(z.nullable(z.string())),
});

export function max({
  botId,
  sendMs = SEND_MS,
  partMs = PART_INTERVAL_MS,
  looksMs = DELIVERY_CHECK_DELAYS_MS,
  ...api
}: MaxOptions): Channel {
  const call = maxCalls(api);
  const sending: Sending = { call, botId, sendMs, partMs, looksMs };
  const read = (update: unknown): Reported[] => {
    const reported = reportedOf(update, botId);
    return reported === null ? [] : [reported];
  };
  let announced: string | null = null;
  return {
    platform: "max",
    maxChars: MAX_CHARS,
    // MAX accepts thirty requests a second, and an answer needs two: typing and the message.
    rateLimit: { perConversationMs: PART_INTERVAL_MS, perSecond: 15 },
    async verify(signal) {
      const within = AbortSignal.any([AbortSignal.timeout(VERIFY_MS), ...(signal ? [signal] : [])]);
      const { body } = await call("/me", { signal: within }).catch(rethrowTrouble);
      const me = Me.parse(body);
      return { id: String(me.user_id), name: me.username ? `@${me.username}` : me.first_name || "бот" };
    },
    receive: (receiving) => poll(call, botId, receiving),
    async announce(webhook, signal) {
      await subscribe(call, webhook, signal);
      announced = webhook.url;
    },
    webhook: {
      provenBy: "headers",
      isAuthentic: ({ headers }, secret) => isSame(headers[SECRET_HEADER], secret),
      read,
    },
    reread: read,
    async leave() {
      if (announced === null) return;
      await unsubscribe(call, AbortSignal.timeout(VERIFY_MS), (url) => url === announced).catch(() => {});
    },
    fetchMedia: ({ url }, limits) => {
      const { apiUrl, roots, proxy } = api;
      const place = { url: String(url), hosts: MEDIA_HOSTS, redirects: MEDIA_REDIRECTS, apiUrl, roots };
      return fetchOriginal({ ...place, ...(proxy ? { proxy } : {}) }, limits);
    },
    send: (out, ending) => sendParts(sending, out, ending),
    arrived: (out, since) => findAnswer(sending, out, since),
    async typing(conversation) {
      const body = { action: "typing_on" };
      const signal = AbortSignal.timeout(VERIFY_MS);
      await call(`/chats/${conversation}/actions`, { method: "POST", body, signal }).catch(() => {});
    },
  };
}
