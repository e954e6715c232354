/**
 * Slack: sends by the Web API; receives signed events (Events API) or events over a socket (Socket Mode).
 * https://docs.slack.dev/apis/events-api
 */
import { setTimeout as sleep } from "node:timers/promises";
import { WebClient } from "@slack/web-api";
import {
  type Channel,
  type Delivery,
  type Inbound,
  isInbound,
  type Outgoing,
  type Reported,
  type SendResult,
} from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal } from "#server/inbox/channel-protocol/fetch-media.ts";
import { slackText } from "#server/inbox/channel-protocol/markup.ts";
import { hmacHex, isSame } from "#server/inbox/channel-protocol/signature.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import { stayConnected } from "#server/inbox/channel-protocol/stay-connected.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { quietLog, rethrowTrouble, sendFailure } from "./errors.ts";
import { reportedOf } from "./event.ts";

const MAX_CHARS = 4000;
const VERIFY_MS = 5_000;
/** Slack waits three seconds for the response to an event. */
const NAME_MS = 1_000;
const SEND_MS = 20_000;
/** Slack accepts one message a second in a conversation. */
const MESSAGE_INTERVAL_MS = 1_000;
const SIGNED_SECONDS = 300;

const NO_KEYS = "Только отправка: чтобы получать сообщения, укажите Signing Secret или App-Level Token";
const NO_ADDRESS = "Только отправка: Slack доставляет события лишь серверу с адресом https. Укажите App-Level Token.";

interface SlackOptions {
  botToken: string;
  /** The secret with which Slack signs events. */
  signingSecret: string | null;
  /** The token for Socket Mode, which is preferred to events at our address. */
  appToken: string | null;
  /** The workspace that `verify` has found; null: it was not called yet. */
  teamId: string | null;
  apiUrl: string;
  proxy?: Proxied | null;
  sendMs?: number;
}

export function slack({
  botToken,
  signingSecret,
  appToken,
  teamId,
  apiUrl,
  proxy = null,
  sendMs = SEND_MS,
}: SlackOptions): Channel {
  const go = proxy?.fetch ?? fetch;
  const api = (token: string, timeout: number, ending?: AbortSignal) =>
    new WebClient(token, {
      slackApiUrl: apiUrl,
      timeout,
      fetch: ending === undefined ? go : fetchUntil(go, ending),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: quietLog,
    });
  const named = async (inbound: Inbound): Promise<Inbound> => {
    const name = await nameOf(api(botToken, NAME_MS), inbound.peer.id);
    return { ...inbound, peer: { ...inbound.peer, name } };
  };
  const read = async (body: unknown): Promise<Reported[]> => {
    const reported = reportedOf(body, teamId);
    if (reported === null) return [];
    if (isInbound(reported)) return [await named(reported)];
    if (!("messages" in reported) || reported.instead === undefined) return [reported];
    return [{ ...reported, instead: await named(reported.instead) }];
  };
  const verify = async () => {
    const me = await api(botToken, VERIFY_MS).auth.test().catch(rethrowTrouble);
    if (appToken !== null) await api(appToken, VERIFY_MS).apps.connections.open({}).catch(rethrowTrouble);
    return { name: `@${me.user} (${me.team})`, id: String(me.team_id) };
  };
  const limitation = signingSecret === null ? NO_KEYS : NO_ADDRESS;
  return {
    platform: "slack",
    maxChars: MAX_CHARS,
    ...(appToken === null ? { limitation } : {}),
    rateLimit: { perConversationMs: MESSAGE_INTERVAL_MS, perSecond: 10 },
    verify,
    fetchMedia: ({ url }, limits) =>
      fetchOriginal(
        {
          proxy,
          url: String(url),
          headers: { authorization: `Bearer ${botToken}` },
          hosts: ["files.slack.com"],
          apiUrl,
        },
        limits,
      ),
    async receive(receiving) {
      if (appToken === null) return stayConnected(receiving, verify, limitation);
      const { receiveBySocket } = await import("./socket.ts");
      return receiveBySocket({ appToken, apiUrl, read, proxy }, receiving);
    },
    ...(signingSecret === null || appToken !== null
      ? {}
      : {
          announce: async () => {
            await verify();
          },
          webhook: {
            provenBy: "body",
            isAuthentic: (delivery) => isSigned(delivery, signingSecret),
            answerTo: challengeOf,
            read,
          },
        }),
    send: (out, ending) => sendParts(api(botToken, sendMs, ending), out, ending),
  };
}

/**
 * https://docs.slack.dev/authentication/verifying-requests-from-slack: an old signature is refused, because an attacker may have recorded
 * it.
 */
function isSigned({ headers, body }: Delivery, secret: string): boolean {
  const at = String(headers["x-slack-request-timestamp"] ?? "");
  if (!/^\d{1,11}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > SIGNED_SECONDS) return false;
  return isSame(headers["x-slack-signature"], `v0=${hmacHex(secret, `v0:${at}:`, body)}`);
}

function challengeOf(body: unknown): Record<string, unknown> | null {
  const asked = body as { type?: unknown; challenge?: unknown } | null;
  return asked?.type === "url_verification" && typeof asked.challenge === "string"
    ? { challenge: asked.challenge }
    : null;
}

/** Returns the author's name, because an event has only the id. If Slack does not respond in time, the id replaces the name. */
async function nameOf(api: WebClient, user: string): Promise<string> {
  try {
    const { user: found } = await api.users.info({ user });
    return found?.profile?.display_name || found?.profile?.real_name || found?.name || user;
  } catch {
    return user;
  }
}

/** A fetch that also ends when the signal aborts, because Slack's client takes no signal. */
const fetchUntil =
  (go: typeof fetch, ending: AbortSignal): typeof fetch =>
  (url, init) =>
    go(url, { ...init, signal: AbortSignal.any([ending, ...(init?.signal ? [init.signal] : [])]) });

async function sendParts(api: WebClient, out: Outgoing, ending?: AbortSignal): Promise<SendResult> {
  const externalIds: string[] = [];
  const { threadTs } = out.context;
  try {
    for (const part of partsOf(out, MAX_CHARS).slice(out.delivered)) {
      if (externalIds.length > 0) await sleep(MESSAGE_INTERVAL_MS, undefined, { signal: ending });
      const sent = await api.chat.postMessage({
        channel: out.conversation,
        text: slackText(part),
        ...(typeof threadTs === "string" ? { thread_ts: threadTs } : {}),
        unfurl_links: false,
        unfurl_media: false,
      });
      externalIds.push(String(sent.ts));
    }
    return { ok: true, externalIds };
  } catch (error) {
    return { externalIds, ...sendFailure(error) };
  }
}
