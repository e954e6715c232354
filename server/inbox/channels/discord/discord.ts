/** A Discord bot: receives direct messages by the gateway and sends answers by REST. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { API } from "@discordjs/core";
import type { Channel, Outgoing, SendFailure, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal } from "#server/inbox/channel-protocol/fetch-media.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";

const MAX_CHARS = 2000;
const VERIFY_MS = 5_000;
const SEND_MS = 10_000;
/** If Discord asks for a longer wait, the answer goes back to the outbox. */
const LONGEST_WAIT_MS = 5_000;
/** Discord recognises a nonce for some minutes, so a send with an unknown result is repeated at once and still arrives once. */
const ATTEMPTS = 3;
const AGAIN_MS = 500;
const NONCE_CHARS = 25;
/** https://discord.com/developers/docs/resources/message#message-object-message-flags */
const SUPPRESS_EMBEDS = 1 << 2;

const MEDIA_HOSTS = ["cdn.discordapp.com", "media.discordapp.net"];

interface DiscordOptions {
  token: string;
  /** https://discord.com/api, or a server with the same API. */
  apiUrl: string;
  proxy?: Proxied | null;
  sendMs?: number;
}

export function discord({ token, apiUrl, proxy = null, sendMs = SEND_MS }: DiscordOptions): Channel {
  const open = async (timeout: number) => {
    const [{ API }, { REST }] = await Promise.all([import("@discordjs/core"), import("@discordjs/rest")]);
    const rest = new REST({
      api: apiUrl,
      timeout,
      retries: 0,
      rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
      // A channel is opened for each send, and the client's timers would outlive it.
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
      ...(proxy === null ? {} : { makeRequest: (url, init) => proxy.fetch(url, init as RequestInit) }),
    }).setToken(token);
    return { rest, api: new API(rest) };
  };
  return {
    platform: "discord",
    maxChars: MAX_CHARS,
    rateLimit: { perConversationMs: 1_000, perSecond: 50 },
    async verify(signal) {
      const { api } = await open(VERIFY_MS);
      const { rethrowTrouble } = await import("./errors.ts");
      const me = await api.users.getCurrent(signal ? { signal } : {}).catch(rethrowTrouble);
      return { name: me.username, id: me.id };
    },
    async receive(receiving) {
      const { receiveByGateway } = await import("./gateway.ts");
      await receiveByGateway({ token, proxy, ...(await open(SEND_MS)) }, receiving);
    },
    async reread(raw) {
      const { reportedOf } = await import("./message.ts");
      const reported = reportedOf(raw);
      return reported === null ? [] : [reported];
    },
    async send(out, ending = new AbortController().signal) {
      const { api } = await open(sendMs);
      return sendParts(api, out, ending);
    },
    fetchMedia: ({ url }, limits) => fetchOriginal({ url: String(url), hosts: MEDIA_HOSTS, apiUrl, proxy }, limits),
    async typing(conversation) {
      const { api } = await open(VERIFY_MS);
      await api.channels.showTyping(conversation).catch(() => {});
    },
  };
}

async function sendParts(api: API, out: Outgoing, ending: AbortSignal): Promise<SendResult> {
  const externalIds: string[] = [];
  for (const [place, content] of partsOf(out, MAX_CHARS).entries()) {
    if (place < out.delivered) continue;
    const nonce = createHash("sha256").update(`${out.key}:${place}`).digest("base64url").slice(0, NONCE_CHARS);
    const sent = await sendOnce(api, out.conversation, { content, nonce }, ending);
    if (typeof sent !== "string") return { externalIds, ...sent };
    externalIds.push(sent);
  }
  return { ok: true, externalIds };
}

async function sendOnce(
  api: API,
  channel: string,
  message: { content: string; nonce: string },
  signal: AbortSignal,
): Promise<string | SendFailure> {
  for (let attempt = 1; ; attempt++) {
    try {
      // People whom a text mentions are not notified, even by a model's text. Discord does not fetch links for previews.
      const quiet = { enforce_nonce: true, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
      return (await api.channels.createMessage(channel, { ...message, ...quiet }, { signal })).id;
    } catch (error) {
      const { sendFailure } = await import("./errors.ts");
      const failure = sendFailure(error);
      if (failure.kind !== "unknown" || attempt === ATTEMPTS || signal.aborted) return failure;
      await sleep(AGAIN_MS * attempt, undefined, { signal }).catch(() => {});
    }
  }
}
