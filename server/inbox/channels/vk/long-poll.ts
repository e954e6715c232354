/** VK's Bots Long Poll, for servers that cannot be reached from outside. https://dev.vk.com/ru/api/bots-long-poll/getting-started */
import * as z from "zod/mini";
import { ChannelTrouble, type Cursor, type Receiving, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import { unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { API_VERSION, type VkCall } from "./api.ts";
import { RECEIVED_EVENTS } from "./callback.ts";
import { rethrowTrouble } from "./errors.ts";
import { Message, reportedOfMessage } from "./event.ts";

const CALL_MS = 10_000;
const WAIT_SECONDS = 25;
const ANSWER_MS = (WAIT_SECONDS + 10) * 1000;
/** Maximum consecutive refusals without an event between them. */
const REFUSALS_AT_MOST = 5;
/** Number of latest conversations whose messages are fetched after a gap, and number of messages of each. */
const CAUGHT_UP = 200;
/** Seconds before the first poll in which a user may have written to a community that was just connected. */
const CONNECTING_SECONDS = 60;

const Ts = z.pipe(z.union([z.string(), z.number()]), z.transform(String));
const Session = z.object({ key: z.string(), server: z.url({ protocol: /^https?$/ }), ts: Ts });
type Session = z.infer<typeof Session>;
const Answer = z.object({
  failed: z.optional(z.number()),
  ts: z.optional(Ts),
  updates: z._default(z.array(z.unknown()), []),
});
const Update = z.object({ event_id: z.string() });

interface LongPollOptions {
  call: VkCall;
  groupId: number;
  read(update: unknown): Promise<Reported[]>;
  named(reported: Reported): Promise<Reported>;
  proxy: Proxied | null;
}

/** Where receiving continues: after the event `ts`, or, if VK no longer knows it, after the moment `at`, in seconds. */
interface Place {
  ts: string | null;
  at: number;
}
const Kept = z.object({ ts: z.catch(z.nullable(z.string()), null), at: z.catch(z.nullable(z.number()), null) });

/** @throws ChannelTrouble, and errors of `emit` */
export async function receiveByLongPoll(options: LongPollOptions, receiving: Receiving): Promise<void> {
  const { call, groupId, read, proxy } = options;
  const { cursor, emit, attempt, connected, signal } = receiving;
  const limits = { ms: CALL_MS, signal };
  const settings = { group_id: groupId, enabled: 1, api_version: API_VERSION, ...RECEIVED_EVENTS };
  await call("groups.setLongPollSettings", settings, limits).catch(unlessAborted(signal));
  let place = placeOf(cursor);
  let session: Session | null = null;
  let refusals = 0;

  const open = async (): Promise<Session> => {
    const found = await call("groups.getLongPollServer", { group_id: groupId }, limits).catch(unlessAborted(signal));
    return Session.parse(found);
  };
  /** Fetches the messages between the last stored event and this one, which VK does not deliver. */
  const bridge = async (ts: string): Promise<void> => {
    const at = await catchUp(options, receiving, place);
    place = { ts, at };
    await emit(null, { ...place });
  };

  while (!signal.aborted) {
    if (session === null) {
      session = await open();
      if (place.ts === null) await bridge(session.ts);
      await connected();
    }
    const answer = await ask(session, place.ts!, proxy, signal);
    if (answer === null || signal.aborted) return;
    if (answer.failed !== undefined) {
      if (++refusals > REFUSALS_AT_MOST) throw new ChannelTrouble("away", "ВКонтакте прерывает связь");
      // 1: some events after ts are lost; 2: the key has expired; 3: the whole session is lost.
      if (answer.failed === 1 && answer.ts !== undefined) await bridge(answer.ts);
      else {
        session = null;
        if (answer.failed !== 2) place = { ...place, ts: null };
      }
      continue;
    }
    refusals = 0;
    for (const [index, update] of answer.updates.entries()) {
      if (signal.aborted) return;
      const isLast = index === answer.updates.length - 1;
      const behind = { ts: isLast ? (answer.ts ?? place.ts) : place.ts, at: Math.max(place.at, dateOf(update)) };
      const name = Update.safeParse(update).data?.event_id.slice(0, 100) ?? "без номера";
      await attempt({ name, behind, raw: update }, async () => {
        const [reported = null] = await read(update);
        await emit(reported, behind);
      });
      place = behind;
    }
    place = { ...place, ts: answer.ts ?? place.ts };
  }
}

function placeOf(cursor: Cursor): Place {
  const { ts, at } = Kept.parse(cursor);
  // Messages from before the connection are not answered, except for the last minute: owners test the twin at once.
  return { ts, at: at ?? Math.floor(Date.now() / 1000) - CONNECTING_SECONDS };
}

function dateOf(update: unknown): number {
  const { object } = update as { object?: { message?: unknown } };
  return Message.safeParse(object?.message ?? object).data?.date ?? 0;
}

/** Returns null when receiving ends. */
async function ask(
  { server, key }: Session,
  ts: string,
  proxy: Proxied | null,
  signal: AbortSignal,
): Promise<z.infer<typeof Answer> | null> {
  const url = new URL(server);
  for (const [name, value] of Object.entries({ act: "a_check", key, ts, wait: String(WAIT_SECONDS) })) {
    url.searchParams.set(name, value);
  }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await (proxy?.fetch ?? fetch)(url, { redirect: "error", signal: within });
    return Answer.parse(await response.json());
  } catch {
    if (signal.aborted) return null;
    throw new ChannelTrouble("away", "ВКонтакте недоступен");
  }
}

const unlessAborted =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    if (signal.aborted) throw error;
    return rethrowTrouble(error);
  };

const Conversations = z.object({
  items: z.array(
    z.object({
      conversation: z.object({ peer: z.object({ id: z.number() }) }),
      last_message: z.optional(z.object({ date: z.number() })),
    }),
  ),
});
const History = z.object({ items: z.array(z.unknown()) });

/** Fetches messages from the moment `at` on; known ones are recognised by their id. @returns the time of the newest */
async function catchUp(
  { call, groupId, named }: LongPollOptions,
  { emit, attempt, signal }: Receiving,
  { at }: Place,
): Promise<number> {
  const limits = { ms: CALL_MS, signal };
  // After a crash halfway the next process starts here again.
  const behind = { ts: null, at };
  let newest = at;
  const listing = { group_id: groupId, count: CAUGHT_UP };
  const found = await call("messages.getConversations", listing, limits).catch(unlessAborted(signal));
  for (const { conversation, last_message: last } of Conversations.parse(found).items) {
    if (last === undefined || last.date < at) continue;
    const asked = { group_id: groupId, peer_id: conversation.peer.id, count: CAUGHT_UP };
    const history = await call("messages.getHistory", asked, limits).catch(unlessAborted(signal));
    // The newest come first.
    for (const raw of History.parse(history).items.reverse()) {
      const message = Message.safeParse(raw).data;
      if (message !== undefined && message.date < at) continue;
      const name = `message ${message?.peer_id}:${message?.conversation_message_id}`;
      // As the event that would have brought it, which is what is read again later.
      const event = { type: "message_new", group_id: groupId, object: { message: raw } };
      await attempt({ name, behind, raw: event }, async () => {
        const reported = reportedOfMessage(raw);
        const kept = reported !== null && "unread" in reported ? unidentified(event) : reported;
        if (kept !== null) await emit(await named(kept), behind);
      });
      newest = Math.max(newest, message?.date ?? at);
    }
  }
  return newest;
}
