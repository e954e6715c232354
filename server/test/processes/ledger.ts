/** Load on a fleet whose every request and message is counted, at whoever has sent it and in the database. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { TWIN } from "../factories/twin-input.ts";
import type { TelegramServer } from "../servers/telegram-server.ts";
import type { Fleet } from "./fleet.ts";

export interface Load {
  /** Number of the bot's answers so far. */
  answered(): number;
  /** Somebody new writes to the bot; resolves with the milliseconds until he has his answer. */
  ask(timeoutMs: number): Promise<number>;
  /** Adds nothing more, waits until all is answered, at most `timeoutMs`, and counts. */
  settle(timeoutMs: number): Promise<Ledger>;
}

export interface Ledger {
  /** Requests that came to the balancer, and those that it sent to a second process as well. */
  requests: number;
  retried: number;
  /** Calls that the caller saw fail. */
  failed: string[];
  notes: { acknowledged: number; lost: number; doubled: number };
  messages: { said: number; lost: number; doubled: number; unknown: number };
  /** Changes that an open screen was told, by whichever process it was connected to. */
  changesHeard: number;
}

const TOKEN = "93:token-of-a-bot-0123456789abcdefghij";
const CONNECTED_MS = 60_000;

/**
 * People write to a bot, each once, and members write notes, each with a key of its own, so that a repeated request is the same one.
 * @param writers members at once
 * @param messagesPerSecond of people to the bot
 */
export async function beginLoad(
  fleet: Fleet,
  telegram: TelegramServer,
  { writers, messagesPerSecond }: { writers: number; messagesPerSecond: number },
): Promise<Load> {
  const { id: digitalTwinId } = await fleet.call("POST", "/api/digital-twins", TWIN);
  const bot = { digitalTwinId, platform: "telegram", apiKey: TOKEN };
  const { id } = await fleet.call("POST", "/api/integrations/create", bot);
  await fleet.call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  let person = 1000;
  const say = (): string => {
    telegram.say(TOKEN, ++person, "Привет!");
    return String(person);
  };
  const first = say();
  await answerTo(telegram, first, CONNECTED_MS);
  const [conversation] = await fleet.call("GET", "/api/conversations");
  const notes = `/api/conversations/${conversation.id}/notes`;

  const failed: string[] = [];
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const over = () => stopping.signal.aborted;
  let changesHeard = 0;
  const running = [...Array.from({ length: writers }, write), converse(), hear()];

  async function write(): Promise<void> {
    while (!over()) {
      const text = `note ${randomUUID()}`;
      try {
        await fleet.call("POST", notes, { text }, { "idempotency-key": randomUUID() });
        acknowledged.push(text);
        await fleet.call("GET", `/api/digital-twins/${digitalTwinId}`);
      } catch (error) {
        failed.push(String(error));
      }
      await pause(50);
    }
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

  return {
    answered: () => telegram.sent.length,
    async ask(timeoutMs) {
      const asked = performance.now();
      await answerTo(telegram, say(), timeoutMs);
      return performance.now() - asked;
    },
    async settle(timeoutMs) {
      stopping.abort();
      await Promise.all(running);
      const said = person - 1000;
      const isSettled = async () => {
        const open = await fleet.rows("select 1 from outbox where state in ('pending', 'sending') limit 1");
        return open.length === 0 && answers(telegram).size >= said;
      };
      for (const until = Date.now() + timeoutMs; !(await isSettled()) && Date.now() < until; ) await pause(100);
      const sent = answers(telegram);
      const [stored] = await fleet.rows<{ events: number; once: number }>(
        "select count(*)::int as events, count(distinct event_id)::int as once from inbox_events",
      );
      const [out] = await fleet.rows<{ unknown: number }>(
        "select count(*) filter (where state = 'unknown')::int as unknown from outbox",
      );
      const kept = (await fleet.rows<{ text: string }>("select text from conversation_notes")).map(({ text }) => text);
      const keptOnce = new Set(kept);
      return {
        requests: fleet.balancer.counts.requests,
        retried: fleet.balancer.counts.retried,
        failed,
        notes: {
          acknowledged: acknowledged.length,
          lost: acknowledged.filter((text) => !keptOnce.has(text)).length,
          doubled: kept.length - keptOnce.size,
        },
        messages: {
          said,
          lost: said - sent.size,
          doubled: stored!.events - stored!.once + telegram.sent.length - sent.size,
          unknown: out!.unknown,
        },
        changesHeard,
      };
    },
  };
}

/** The chats that were answered. */
const answers = (telegram: TelegramServer): Set<string> => new Set(telegram.sent.map(({ chatId }) => chatId));

async function answerTo(telegram: TelegramServer, chatId: string, timeoutMs: number): Promise<void> {
  for (const until = Date.now() + timeoutMs; !answers(telegram).has(chatId); await pause(20)) {
    if (Date.now() > until) throw new Error(`Chat ${chatId} has no answer after ${timeoutMs} ms`);
  }
}
