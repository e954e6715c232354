/**
 * As much of Telegram's Bot API as the journeys need: who a bot is, what is said to it, what it says. It stands beside the
 * pooled servers (e2e/servers/server-pool.ts) and knows the bots that tests have made, which speak with it by HTTP (e2e/servers/bot.ts).
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Bot {
  id: number;
  sent: string[];
  updates: { update_id: number }[];
  /** Ends a long poll that waits for news. */
  wake: () => void;
}

/** Where the tests find it. */
export const BOT_API = "E2E_BOT_API";

/** @returns its address, for TELEGRAM_API_ROOT */
export async function startBotApi(): Promise<{ root: string; close(): Promise<void> }> {
  const bots = new Map<string, Bot>();
  /** Tokens in whose place their bots have got others. */
  const revoked = new Set<string>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const input = body === "" ? {} : JSON.parse(body);
    const [, place = "", last] = request.url?.split("/") ?? [];
    if (place === "control") return control(response, request.method, last, input);
    const bot = bots.get(place.replace(/^bot/, ""));
    if (revoked.has(place.replace(/^bot/, ""))) return answer(response, undefined, 401);
    // For any other token it is as if Telegram were not there.
    if (bot === undefined) return request.socket.destroy();
    if (last === "getMe") return answer(response, { id: bot.id, is_bot: true, first_name: "Бот", username: "tea_bot" });
    if (last === "getUpdates") {
      bot.updates = bot.updates.filter(({ update_id }) => update_id >= (input.offset ?? 0));
      if (bot.updates.length === 0 && input.timeout > 0) {
        await new Promise<void>((resolve) => {
          bot.wake = resolve;
          request.socket.once("close", resolve);
        });
      }
      return answer(response, bot.updates);
    }
    if (last === "sendMessage") {
      bot.sent.push(input.text);
      return answer(response, { message_id: ++count, date: 1_795_000_000, chat: { id: 5, type: "private" }, text: "" });
    }
    return answer(response, true);
  });

  function control(response: ServerResponse, method: string | undefined, token: string | undefined, input: Say) {
    if (token === undefined) {
      const id = ++count;
      bots.set(`${id}:token-of-a-bot-0123456789abcdefghij`, { id, sent: [], updates: [], wake: () => undefined });
      return response.end(JSON.stringify(`${id}:token-of-a-bot-0123456789abcdefghij`));
    }
    const bot = bots.get(token)!;
    if (method === "DELETE") {
      const next = `${bot.id}:renewed-token-of-a-bot-0123456789abcdef`;
      bots.delete(token);
      revoked.add(token);
      bots.set(next, bot);
      bot.wake();
      return response.end(JSON.stringify(next));
    }
    if (method === "POST") {
      bot.updates.push(update(input, ++count));
      bot.wake();
    }
    return response.end(JSON.stringify(bot.sent));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env[BOT_API] = root;
  return {
    root,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Say {
  text: string;
  chat: number;
}

function update({ text, chat: id }: Say, number: number): { update_id: number } {
  const message = {
    message_id: number,
    date: 1_795_000_000 + number,
    chat: { id, type: "private" },
    from: { id, is_bot: false, first_name: "Иван" },
    text,
  };
  return { update_id: number, message } as { update_id: number };
}

function answer(response: ServerResponse, result: unknown, status: 200 | 401 = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  const refusal = { ok: false, error_code: status, description: "Unauthorized" };
  response.end(JSON.stringify(status === 200 ? { ok: true, result } : refusal));
}
