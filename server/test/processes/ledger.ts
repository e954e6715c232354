/** Load on a fleet in which every request and message is counted, by its sender and in the database. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { TWIN } from "../factories/twin-input.ts";
import type { TelegramServer } from "../servers/telegram-server.ts";
import { CallFailed, type Fleet } from "./fleet.ts";

export interface Load {
  /** Number of the bot's answers so far. */
  answered(): number;
  /** A new contact writes to the bot; resolves with the milliseconds until the answer arrives. */
  ask(timeoutMs: number): Promise<number>;
  /** While `work` kills something a call may fail that was under way then; its caller asks again with the same key. */
  outage<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Adds nothing more, waits until all is answered, at most `timeoutMs`, and counts. */
  settle(timeoutMs: number): Promise<Ledger>;
}

export interface Ledger {
  /** Requests that came to the balancer, and those that it sent to a second process as well. */
  requests: number;
  retried: number;
  /** Calls that failed though nothing was away while they ran, and those that failed again when they were repeated. */
  failed: string[];
  /** Calls that failed while something was away, and were fine when they were repeated with the same key. */
  cutOff: number;
  notes: { acknowledged: number; lost: number; doubled: number };
  /**
   * cutOff: their delivery is unknown, because something was killed while they were sent; unknown: the same, but nothing was killed.
   * listed: those of both that stand in the approvals.
   */
  messages: { said: number; lost: number; doubled: number; cutOff: number; unknown: number; listed: number };
  /** Changes that an open screen was told, by whichever process it was connected to. */
  changesHeard: number;
}

const TOKEN = "93:token-of-a-bot-0123456789abcdefghij";
const CONNECTED_MS = 60_000;
/** For so long a caller repeats what has failed: a key of a killed process is released before that. */
const PATIENCE_MS = 60_000;

/**
 * People write to a bot, each once, and members write notes, each with a key of its own, so that a repeated request is the same one.
 * @param writers members at once, each with `pauseMs` between one change and the next
 * @param messagesPerSecond of people to the bot
 */
export async function beginLoad(
  fleet: Fleet,
  telegram: TelegramServer,
  { writers, messagesPerSecond, pauseMs = 50 }: { writers: number; messagesPerSecond: number; pauseMs?: number },
): Promise<Load> {
  const { id: digitalTwinId } = await fleet.call("POST", "/api/digital-twins", TWIN);
  const bot = { digitalTwinId, platform: "telegram", apiKey: TOKEN };
  const { id } = await fleet.call("POST", "/api/integrations/create", bot);
  await fleet.call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  let person = 1000;
  const people: string[] = [];
  const say = (): string => {
    telegram.say(TOKEN, ++person, "Привет!");
    people.push(String(person));
    return String(person);
  };
  const first = say();
  await answerTo(telegram, first, CONNECTED_MS);
  const [conversation] = await fleet.call("GET", "/api/conversations");
  const notes = `/api/conversations/${conversation.id}/notes`;

  const failed: string[] = [];
  const acknowledged: string[] = [];
  const outages: { from: number; to: number }[] = [];
  const stopping = new AbortController();
  const over = () => stopping.signal.aborted;
  let cutOff = 0;
  let changesHeard = 0;
  const running = [...Array.from({ length: writers }, write), converse(), hear()];

  async function write(): Promise<void> {
    while (!over()) {
      const text = `note ${randomUUID()}`;
      const headers = { "idempotency-key": randomUUID() };
      if (await succeeds(() => fleet.call("POST", notes, { text }, headers))) acknowledged.push(text);
      await succeeds(() => fleet.call("GET", `/api/digital-twins/${digitalTwinId}`));
      await pause(pauseMs);
    }
  }

  /** Like a client that repeats what has failed. */
  async function succeeds(call: () => Promise<unknown>): Promise<boolean> {
    const began = performance.now();
    let error = await errorOf(call);
    if (error === null) return true;
    const ended = performance.now();
    if (!outages.some(({ from, to }) => began <= to && ended >= from)) {
      failed.push(String(error));
      return false;
    }
    while (error !== null && performance.now() - began < PATIENCE_MS) {
      await pause(500);
      error = await errorOf(call);
      // The first one was executed; only its answer went down with the process.
      if (error instanceof CallFailed && error.code === "idempotency_response_lost") error = null;
    }
    if (error === null) cutOff++;
    else failed.push(`again: ${error}`);
    return error === null;
  }

  async function converse(): Promise<void> {
    while (!over()) {
      say();
      await pause(1000 / messagesPerSecond);
    }
  }

  /** Like a screen: connected to one process as long as that lives, then to another. */
  async function hear(): Promise<void> {
    while (!over()) {
      await fleet.read("/api/events", stopping.signal, (text) => {
        changesHeard += text.split("event: change").length - 1;
      });
      await pause(50);
    }
  }

  const findUnknown = () =>
    fleet.rows<{ chat: string; written: Date }>(
      "select c.external_id as chat, o.created_at as written from outbox o join conversations c on c.id = o.conversation_id where o.state = 'unknown'",
    );
  /** Who was neither answered nor stands in the list of those who perhaps were. */
  async function unanswered(): Promise<string[]> {
    const unknown = new Set((await findUnknown()).map(({ chat }) => chat));
    const sent = answers(telegram);
    return people.filter((chat) => !sent.has(chat) && !unknown.has(chat));
  }

  return {
    answered: () => telegram.sent.length,
    async ask(timeoutMs) {
      const asked = performance.now();
      await answerTo(telegram, say(), timeoutMs);
      return performance.now() - asked;
    },
    async outage(work) {
      const outage = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      try {
        return await work();
      } finally {
        outage.to = performance.now();
      }
    },
    async settle(timeoutMs) {
      stopping.abort();
      await Promise.all(running);
      const isSettled = async () => {
        const open = await fleet.rows("select 1 from outbox where state in ('pending', 'sending') limit 1");
        return open.length === 0 && (await unanswered()).length === 0;
      };
      for (const until = Date.now() + timeoutMs; !(await isSettled()) && Date.now() < until; ) await pause(200);
      const sent = answers(telegram);
      const [stored] = await fleet.rows<{ events: number; once: number }>(
        "select count(*)::int as events, count(distinct event_id)::int as once from inbox_events",
      );
      const kept = (await fleet.rows<{ text: string }>("select text from conversation_notes")).map(({ text }) => text);
      const keptOnce = new Set(kept);
      const unknown = await findUnknown();
      const cut = unknown.filter(({ written }) =>
        outages.some(({ to }) => written.getTime() <= performance.timeOrigin + to),
      ).length;
      const approvals: { state: string }[] = await fleet.call("GET", "/api/approvals");
      return {
        requests: fleet.balancer.counts.requests,
        retried: fleet.balancer.counts.retried,
        failed,
        cutOff,
        notes: {
          acknowledged: acknowledged.length,
          lost: acknowledged.filter((text) => !keptOnce.has(text)).length,
          doubled: kept.length - keptOnce.size,
        },
        messages: {
          said: people.length,
          lost: (await unanswered()).length,
          doubled: stored!.events - stored!.once + telegram.sent.length - sent.size,
          cutOff: cut,
          unknown: unknown.length - cut,
          listed: approvals.filter(({ state }) => state === "unknown").length,
        },
        changesHeard,
      };
    },
  };
}

const errorOf = (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => null,
    (error: unknown) => error,
  );

/** The chats that were answered. */
const answers = (telegram: TelegramServer): Set<string> => new Set(telegram.sent.map(({ chatId }) => chatId));

async function answerTo(telegram: TelegramServer, chatId: string, timeoutMs: number): Promise<void> {
  for (const until = Date.now() + timeoutMs; !answers(telegram).has(chatId); await pause(20)) {
    if (Date.now() > until) throw new Error(`Chat ${chatId} has no answer after ${timeoutMs} ms`);
  }
}
