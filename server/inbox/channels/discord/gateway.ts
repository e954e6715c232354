/** Discord's gateway: direct messages come over a socket that can resume; messages written while it was down are fetched. */
import { setTimeout as sleep } from "node:timers/promises";
import { type API, GatewayCloseCodes, GatewayDispatchEvents, GatewayIntentBits } from "@discordjs/core";
import { DiscordAPIError, type REST } from "@discordjs/rest";
import { CloseCodes, type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import * as z from "zod/mini";
import { ChannelTrouble, type Cursor, type Receiving, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { rethrowTrouble, TOKEN_REFUSED } from "./errors.ts";
import { createGatewayProxy, type GatewayProxy } from "./gateway-proxy.ts";
import { DirectMessage, type DiscordMessage, deletionOf, editOf, isDirect, reportedOf } from "./message.ts";

/** Milliseconds without a connection after which the owner is notified; resuming takes only seconds. */
const LOST_MS = 30_000;
const FAREWELL_MS = 2_000;
/** Number of the latest conversations whose messages are fetched after a gap. */
const KEPT_CHANNELS = 100;
const PAGE = 100;

interface GatewayOptions {
  token: string;
  rest: REST;
  api: API;
  proxy: Proxied | null;
}

/** @throws ChannelTrouble, and errors of `emit` */
export async function receiveByGateway(options: GatewayOptions, receiving: Receiving): Promise<void> {
  const direct = GatewayIntentBits.DirectMessages;
  try {
    await connection(options, receiving, direct | GatewayIntentBits.MessageContent);
  } catch (error) {
    if (!(error instanceof DisallowedIntents)) throw error;
    // The message content intent may be off in the developer portal; direct messages to the bot have their content anyway.
    await connection(options, receiving, direct);
  }
}

class DisallowedIntents extends Error {}

async function connection(
  { token, rest, api, proxy }: GatewayOptions,
  { cursor, emit, attempt, connected, signal }: Receiving,
  intents: GatewayIntentBits,
): Promise<void> {
  const kept = readCursor(cursor);
  // Pairs of a channel and its last message, the newest last.
  const seen = new Map(kept.seen);
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  let over = false;
  let session: SessionInfo | null = kept.session;
  const gateway = new WebSocketManager({
    token,
    rest,
    intents,
    // The library's own store would be shared by all bots of the process.
    retrieveSessionInfo: () => (over ? NEVER : session && doors.session(session)),
    updateSessionInfo: (_shard, info) => {
      if (!over) session = info && doors.realSession(info);
    },
  });
  const doors: GatewayProxy = createGatewayProxy(gateway, proxy);
  let lost: NodeJS.Timeout | undefined;
  const armLost = () => {
    lost ??= setTimeout(() => ended.reject(new ChannelTrouble("away", "Discord недоступен")), LOST_MS).unref();
  };
  const there = () => {
    clearTimeout(lost);
    lost = undefined;
  };

  let handled: Promise<void> = Promise.resolve();
  /** Handles events one after another, so that missed messages come before new ones. */
  const enqueue = (work: () => Promise<void>) => {
    handled = handled.then(async () => {
      if (!over) await work().catch(ended.reject);
    });
  };
  /** `sequence` is that of the last stored event; Discord replays later ones to a client that resumes here. */
  const cursorAt = (sequence: number) => ({
    seen: [...seen].slice(-KEPT_CHANNELS),
    session: session === null ? null : { ...session, sequence },
  });
  const take = async (message: unknown, sequence: number) => {
    if (!isDirect(message)) return;
    const place = DirectMessage.safeParse(message).data;
    if (place !== undefined) {
      const last = seen.get(place.channel_id) ?? "0";
      seen.delete(place.channel_id);
      seen.set(place.channel_id, BigInt(place.id) > BigInt(last) ? place.id : last);
    }
    const behind = cursorAt(sequence);
    const name = place?.id ?? `event ${sequence}`;
    await attempt({ name, behind, raw: message }, () => emit(reportedOf(message), behind));
  };
  /** Changes made while the connection was down are not delivered later; a resumed session replays them. */
  const change = async ({ s, d }: { s: number; d: unknown }, read: () => Reported | null) => {
    if (!isDirect(d)) return;
    const behind = cursorAt(s);
    await attempt({ name: `change ${s}`, behind, raw: d }, () => emit(read(), behind));
  };
  /** Fetches messages from before the session began, because a new session replays nothing. */
  const catchUp = async () => {
    for (const [channel, last] of [...seen]) {
      for (const message of await messagesAfter(api, channel, last)) await take(message, 0);
    }
  };

  gateway.on(WebSocketShardEvents.Ready, () => {
    there();
    enqueue(async () => {
      await connected();
      await catchUp();
      await emit(null, cursorAt(1));
    });
  });
  gateway.on(WebSocketShardEvents.Resumed, () => {
    there();
    enqueue(() => connected());
  });
  gateway.on(WebSocketShardEvents.Dispatch, (payload) => {
    if (payload.t === GatewayDispatchEvents.MessageCreate) enqueue(() => take(payload.d, payload.s));
    if (payload.t === GatewayDispatchEvents.MessageUpdate) enqueue(() => change(payload, () => editOf(payload.d)));
    if (payload.t === GatewayDispatchEvents.MessageDelete) enqueue(() => change(payload, () => deletionOf(payload.d)));
  });
  gateway.on(WebSocketShardEvents.Closed, (code) => {
    if (code === GatewayCloseCodes.AuthenticationFailed) ended.reject(new ChannelTrouble("auth", TOKEN_REFUSED));
    else if (code === GatewayCloseCodes.DisallowedIntents) ended.reject(new DisallowedIntents());
    else armLost();
  });
  // The close event after an error has the details.
  gateway.on(WebSocketShardEvents.Error, () => {});

  const leave = () => ended.resolve();
  signal.addEventListener("abort", leave);
  armLost();
  try {
    if (signal.aborted) return;
    gateway.connect().catch((error: unknown) => ended.reject(troubleOf(error)));
    await ended.promise;
  } finally {
    over = true;
    there();
    signal.removeEventListener("abort", leave);
    // The close is resumable, so that the next start continues the session. It waits for the other side to close as well.
    await Promise.race([gateway.destroy({ code: CloseCodes.Resuming }), sleep(FAREWELL_MS, undefined, { ref: false })]);
    await handled;
    await doors.close();
  }
}

/** A reconnecting shard asks for its session first; this promise never settles, so the shard stops there. */
const NEVER = new Promise<SessionInfo | null>(() => {});

function troubleOf(error: unknown): unknown {
  try {
    rethrowTrouble(error);
  } catch (trouble) {
    return trouble;
  }
}

const Snowflake = z.string().check(z.regex(/^\d{1,20}$/));
const Kept = z.object({
  seen: z.catch(z.array(z.tuple([Snowflake, Snowflake])), []),
  session: z.catch(
    z.nullable(
      z.object({
        resumeURL: z.string(),
        sequence: z.number(),
        sessionId: z.string(),
        shardCount: z.number(),
        shardId: z.number(),
      }),
    ),
    null,
  ),
});
const readCursor = (cursor: Cursor): z.infer<typeof Kept> => Kept.parse(cursor);

async function messagesAfter(api: API, channel: string, last: string): Promise<DiscordMessage[]> {
  const messages: DiscordMessage[] = [];
  for (let after = last; ; ) {
    const page = await api.channels.getMessages(channel, { after, limit: PAGE }).catch((error: unknown) => {
      // The conversation no longer exists, or the bot may not read it any more.
      if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return [];
      return rethrowTrouble(error);
    });
    const sorted = page.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    messages.push(...sorted);
    if (page.length < PAGE) return messages;
    after = sorted.at(-1)!.id;
  }
}
