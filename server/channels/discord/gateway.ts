/** Discord's gateway: direct messages over a socket that resumes, and what was written while there was none. */
import { setTimeout as sleep } from "node:timers/promises";
import { type API, GatewayCloseCodes, GatewayDispatchEvents, GatewayIntentBits } from "@discordjs/core";
import { DiscordAPIError, type REST } from "@discordjs/rest";
import { CloseCodes, type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import * as z from "zod/mini";
import { ChannelTrouble, type Cursor, type Receiving } from "../protocol/channel.ts";
import { rethrowTrouble, TOKEN_REFUSED } from "./errors.ts";
import { type DiscordMessage, inboundOf, isDirect } from "./message.ts";

/** Resuming takes seconds; without a connection for so long the owner is told. */
const LOST_MS = 30_000;
const FAREWELL_MS = 2_000;
/** Conversations that are looked into after a gap: the latest. */
const KEPT_CHANNELS = 100;
const PAGE = 100;

export interface GatewayOptions {
  token: string;
  rest: REST;
  api: API;
}

/** @throws ChannelTrouble; what `emit` throws */
export async function receiveByGateway(options: GatewayOptions, receiving: Receiving): Promise<void> {
  const direct = GatewayIntentBits.DirectMessages;
  try {
    await connection(options, receiving, direct | GatewayIntentBits.MessageContent);
  } catch (error) {
    if (!(error instanceof DisallowedIntents)) throw error;
    // Switched off in the portal; direct messages to the bot have their content all the same.
    await connection(options, receiving, direct);
  }
}

class DisallowedIntents extends Error {}

async function connection(
  { token, rest, api }: GatewayOptions,
  { cursor, emit, attempt, connected, signal }: Receiving,
  intents: GatewayIntentBits,
): Promise<void> {
  const kept = readCursor(cursor);
  // Newest last: [channel, its last message].
  const seen = new Map(kept.seen);
  const ended = Promise.withResolvers<void>();
  // What comes after the end is nobody's trouble any more.
  ended.promise.catch(() => {});
  let over = false;
  let session: SessionInfo | null = kept.session;
  const gateway = new WebSocketManager({
    token,
    rest,
    intents,
    // The library's own store is one for all bots of the process.
    retrieveSessionInfo: () => (over ? NEVER : session),
    updateSessionInfo: (_shard, info) => {
      if (!over) session = info;
    },
  });
  let lost: NodeJS.Timeout | undefined;
  const armLost = () => {
    lost ??= setTimeout(() => ended.reject(new ChannelTrouble("away", "Discord недоступен")), LOST_MS).unref();
  };
  const there = () => {
    clearTimeout(lost);
    lost = undefined;
  };

  let handled: Promise<void> = Promise.resolve();
  /** One after another: what was missed comes before what is new. */
  const enqueue = (work: () => Promise<void>) => {
    handled = handled.then(async () => {
      if (!over) await work().catch(ended.reject);
    });
  };
  /** `sequence`: of the last event that is stored; those behind it are replayed to whoever resumes here. */
  const cursorAt = (sequence: number) => ({
    seen: [...seen].slice(-KEPT_CHANNELS),
    session: session === null ? null : { ...session, sequence },
  });
  const take = async (message: DiscordMessage, sequence: number) => {
    // Most of what a server's gateway tells is not for us: that costs nothing.
    if (!isDirect(message)) return;
    const { id, channel_id: channel } = message;
    const last = seen.get(channel) ?? "0";
    seen.delete(channel);
    seen.set(channel, BigInt(id) > BigInt(last) ? id : last);
    const behind = cursorAt(sequence);
    await attempt({ name: id, behind, raw: message }, () => emit(inboundOf(message), behind));
  };
  /** A new session knows nothing of what was written before it. */
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
  });
  gateway.on(WebSocketShardEvents.Closed, (code) => {
    if (code === GatewayCloseCodes.AuthenticationFailed) ended.reject(new ChannelTrouble("auth", TOKEN_REFUSED));
    else if (code === GatewayCloseCodes.DisallowedIntents) ended.reject(new DisallowedIntents());
    else armLost();
  });
  // Told by what is closed.
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
    // Resumable: the next start goes on with the session. It waits for the other side's farewell.
    await Promise.race([gateway.destroy({ code: CloseCodes.Resuming }), sleep(FAREWELL_MS, undefined, { ref: false })]);
    await handled;
  }
}

/** A shard that was about to connect again asks for its session first: it never gets one, and ends there. */
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

/** Oldest first. */
async function messagesAfter(api: API, channel: string, last: string): Promise<DiscordMessage[]> {
  const messages: DiscordMessage[] = [];
  for (let after = last; ; ) {
    const page = await api.channels.getMessages(channel, { after, limit: PAGE }).catch((error: unknown) => {
      // The conversation is gone, or closed to the bot.
      if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return [];
      return rethrowTrouble(error);
    });
    const sorted = page.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    messages.push(...sorted);
    if (page.length < PAGE) return messages;
    after = sorted.at(-1)!.id;
  }
}
