/** As much of Telegram's Bot API as one journey needs: who the bot is, what is said to it, what it says. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface BotApi {
  /** For TELEGRAM_API_ROOT. */
  root: string;
  /** Texts that the bot sent, in order. */
  sent: string[];
  /** Somebody called Иван writes to the bot: a contact, or whoever has the chat with this number. */
  say(text: string, chat?: number): void;
  close(): Promise<void>;
}

export async function startBotApi(): Promise<BotApi> {
  const sent: string[] = [];
  let updates: { update_id: number }[] = [];
  let wake: (() => void) | null = null;
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const input = body === "" ? {} : JSON.parse(body);
    const method = request.url?.split("/").at(-1);
    if (method === "getMe") return answer(response, { id: 7, is_bot: true, first_name: "Бот", username: "tea_bot" });
    if (method === "getUpdates") {
      updates = updates.filter(({ update_id }) => update_id >= (input.offset ?? 0));
      if (updates.length === 0 && input.timeout > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          request.socket.once("close", resolve);
        });
      }
      return answer(response, updates);
    }
    if (method === "sendMessage") {
      sent.push(input.text);
      return answer(response, { message_id: ++count, date: 1_795_000_000, chat: { id: 5, type: "private" }, text: "" });
    }
    return answer(response, true);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    say(text, id = 5) {
      const from = { id, is_bot: false, first_name: "Иван" };
      const message = {
        message_id: ++count,
        date: 1_795_000_000 + count,
        chat: { id, type: "private" },
        from,
        text,
      };
      updates.push({ update_id: ++count, message } as { update_id: number });
      wake?.();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, result: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ok: true, result }));
}
