/** A local Bot API server for tests, with tokens, offsets, long polls, 409, limits, and every way in which a send may go wrong. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** How the next `sendMessage` is answered; without a script it is delivered. */
type SendBehaviour =
  | { kind: "rate-limited"; retryAfter: number }
  | { kind: "error"; status: number; description?: string }
  /** The message is not delivered, and the request is not answered. */
  | { kind: "hang" }
  /** The message is delivered, and the connection is reset before the answer. */
  | { kind: "reset-after-accept" }
  /** The message is delivered after this time. */
  | { kind: "slow"; ms: number };

interface SentMessage {
  token: string;
  chatId: string;
  messageId: number;
  text: string;
  parseMode: string | undefined;
  /** Whether the field for an answer to this message is open. */
  forceReply?: boolean;
  /** The topic of a private chat in which it was sent. */
  topic?: number;
  /** The Business connection in whose account it was sent. */
  connection?: string;
}

/** A bot's message in its present state. */
interface StandingMessage {
  chatId: string;
  text: string;
  /** Labels of the buttons with their data, row by row. */
  buttons: { text: string; callback_data: string }[];
}

export interface TelegramServer {
  /** The value for TELEGRAM_API_ROOT. */
  root: string;
  /** The delivered messages in order. */
  sent: SentMessage[];
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The bots' messages by id. */
  standing: Map<number, StandingMessage>;
  /** The notices that people saw after pressing a button, in order. */
  pressed: { text: string; alert: boolean }[];
  /** Number of `sendMessage` calls, successful or not. */
  sends: number;
  /** Number of the calls that are held back while their callers wait. */
  hanging: number;
  /** Chats in which typing was shown. */
  typing: string[];
  /** Tokens that are refused with 401. */
  revoked: Set<string>;
  /** The token of each poll for updates. */
  polls: string[];
  /** How many polls wait for an update. */
  waiting: number;
  /** The webhook addresses that were set, by token. */
  webhooks: Map<string, { url: string; secret: string }>;
  /** What bots may fetch, by file id; a file that is not here was forgotten. */
  kept: Map<string, Buffer>;
  /** While true, a file that is asked for does not come. */
  withholds: boolean;
  /** Ids of the files that were fetched, in order. */
  fetched: string[];
  script(...behaviours: SendBehaviour[]): void;
  /** Makes the update of a private message without delivering it. */
  privateMessage(userId: number, text: string, more?: Record<string, unknown>): TelegramUpdate;
  /** A user sends the bot a private message; returns its update. */
  say(token: string, userId: number, text: string, more?: Record<string, unknown>): TelegramUpdate;
  /** A user presses the button with this label under a message, in its present or an earlier state. */
  press(token: string, userId: number, messageId: number, button: { callback_data: string }): TelegramUpdate;
  /** Delivers any update, also a repeated or a malformed one. */
  push(token: string, update: TelegramUpdate): void;
  close(): Promise<void>;
}

type TelegramUpdate = { update_id: number } & Record<string, unknown>;

interface Bot {
  updates: TelegramUpdate[];
  /** Ends the waiting poll. */
  wake: (() => void) | null;
  /** Ends the waiting poll with 409. */
  displace: (() => void) | null;
}

const PER_MESSAGE = 4096;

export async function startTelegramServer(): Promise<TelegramServer> {
  const bots = new Map<string, Bot>();
  const scripted: SendBehaviour[] = [];
  const webhooks: TelegramServer["webhooks"] = new Map();
  const sockets = new Set<Socket>();
  let updateId = 1000;
  let messageId = 1;
  const botOf = (token: string): Bot => {
    const known = bots.get(token) ?? { updates: [], wake: null, displace: null };
    bots.set(token, known);
    return known;
  };
  const started: TelegramServer = {
    root: "",
    sent: [],
    previews: [],
    standing: new Map(),
    pressed: [],
    sends: 0,
    hanging: 0,
    typing: [],
    revoked: new Set(),
    polls: [],
    waiting: 0,
    webhooks,
    kept: new Map(),
    withholds: false,
    fetched: [],
    script: (...behaviours) => scripted.push(...behaviours),
    privateMessage(userId, text, more = {}) {
      const from = { id: userId, is_bot: false, first_name: "Иван", language_code: "ru" };
      const chat = { id: userId, type: "private", first_name: "Иван" };
      const message = { message_id: ++messageId, date: Math.floor(Date.now() / 1000), chat, from, text, ...more };
      return { update_id: ++updateId, message };
    },
    say(token, userId, text, more = {}) {
      const update = started.privateMessage(userId, text, more);
      started.push(token, update);
      return update;
    },
    press(token, userId, messageId, { callback_data: data }) {
      const from = { id: userId, is_bot: false, first_name: "Иван" };
      const chat = { id: Number(started.standing.get(messageId)!.chatId), type: "private" };
      const callback_query = { id: `press-${updateId}`, from, message: { message_id: messageId, chat }, data };
      const update = { update_id: ++updateId, callback_query };
      started.push(token, update);
      return update;
    },
    push(token, update) {
      const bot = botOf(token);
      bot.updates.push(update);
      bot.wake?.();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const file = /^\/file\/bot([^/]+)\/files\/([\w-]+)$/.exec(request.url ?? "");
    if (file !== null) {
      const bytes = started.revoked.has(file[1]!) ? undefined : started.kept.get(file[2]!);
      if (request.method !== "GET" || bytes === undefined) return fail(response, 404, "Not Found");
      started.fetched.push(file[2]!);
      if (started.withholds) return;
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes.length });
      response.end(bytes);
      return;
    }
    const found = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "");
    if (found === null) return fail(response, 404, "Not Found");
    const [, token, method] = found as unknown as [string, string, string];
    if (!/^\d+:[\w-]+$/.test(token)) return fail(response, 404, "Not Found");
    if (started.revoked.has(token)) return fail(response, 401, "Unauthorized");
    const body = Buffer.concat(chunks).toString();
    const input = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
    switch (method) {
      case "getMe":
        return ok(response, { id: idOf(token), is_bot: true, first_name: "Бот", username: `bot${idOf(token)}_bot` });
      case "getFile": {
        const id = String(input.file_id);
        const bytes = started.kept.get(id);
        if (bytes === undefined)
          return fail(response, 400, "Bad Request: wrong file_id or the file is temporarily unavailable");
        if (bytes.length > 20 * 1024 ** 2) return fail(response, 400, "Bad Request: file is too big");
        return ok(response, { file_id: id, file_unique_id: id, file_size: bytes.length, file_path: `files/${id}` });
      }
      case "setWebhook":
        webhooks.set(token, { url: String(input.url), secret: String(input.secret_token) });
        return ok(response, true);
      case "deleteWebhook":
        webhooks.delete(token);
        return ok(response, true);
      case "sendChatAction":
        started.typing.push(String(input.chat_id));
        return ok(response, true);
      case "getUpdates":
        if (webhooks.has(token))
          return fail(response, 409, "Conflict: can't use getUpdates method while webhook is active");
        started.polls.push(token);
        return getUpdates(response, botOf(token), input);
      case "sendMessage":
        return sendMessage(response, token, input);
      case "editMessageText":
        return editMessageText(response, input);
      case "answerCallbackQuery":
        started.pressed.push({ text: String(input.text), alert: input.show_alert === true });
        return ok(response, true);
      default:
        return fail(response, 404, "Not Found");
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });

  /** An offset removes all earlier updates; a second poll ends the first one with 409. */
  async function getUpdates(response: ServerResponse, bot: Bot, input: Record<string, unknown>): Promise<void> {
    bot.displace?.();
    const offset = Number(input.offset ?? 0);
    bot.updates = bot.updates.filter((update) => update.update_id >= offset);
    if (bot.updates.length === 0 && Number(input.timeout ?? 0) > 0) {
      started.waiting++;
      const why = await new Promise<"news" | "displaced" | "left" | "time">((resolve) => {
        bot.wake = () => resolve("news");
        bot.displace = () => resolve("displaced");
        response.once("close", () => resolve("left"));
        setTimeout(() => resolve("time"), Number(input.timeout) * 1000).unref();
      });
      started.waiting--;
      bot.wake = null;
      bot.displace = null;
      if (why === "left") return;
      if (why === "displaced") {
        fail(response, 409, "Conflict: terminated by other getUpdates request");
        return;
      }
    }
    ok(response, bot.updates.slice(0, 100));
  }

  async function sendMessage(response: ServerResponse, token: string, input: Record<string, unknown>): Promise<void> {
    started.sends++;
    const text = String(input.text ?? "");
    const parseMode = input.parse_mode as string | undefined;
    if (text === "") return fail(response, 400, "Bad Request: message text is empty");
    if (plainLength(text, parseMode) > PER_MESSAGE) return fail(response, 400, "Bad Request: message is too long");
    if (parseMode === "HTML" && /<(?!\/?(?:b|code|blockquote)>)/.test(text)) {
      return fail(response, 400, "Bad Request: can't parse entities: unsupported start tag");
    }
    const behaviour = scripted.shift();
    if (behaviour?.kind === "hang") {
      started.hanging++;
      response.once("close", () => started.hanging--);
      return;
    }
    if (behaviour?.kind === "rate-limited") {
      const { retryAfter } = behaviour;
      return fail(response, 429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
    }
    if (behaviour?.kind === "error") return fail(response, behaviour.status, behaviour.description ?? "Error");
    if (behaviour?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, behaviour.ms));
    const chatId = String(input.chat_id);
    const connection = input.business_connection_id as string | undefined;
    const markup = (input.reply_markup ?? {}) as {
      force_reply?: boolean;
      inline_keyboard?: StandingMessage["buttons"][];
    };
    const { is_disabled } = (input.link_preview_options ?? {}) as { is_disabled?: boolean };
    if (is_disabled !== true) started.previews.push(text);
    const id = ++messageId;
    started.standing.set(id, { chatId, text, buttons: (markup.inline_keyboard ?? []).flat() });
    started.sent.push({
      token,
      chatId,
      messageId: id,
      text,
      parseMode,
      ...(connection === undefined ? {} : { connection }),
      ...(typeof input.message_thread_id === "number" ? { topic: input.message_thread_id } : {}),
      ...(markup.force_reply ? { forceReply: true } : {}),
    });
    if (behaviour?.kind === "reset-after-accept") {
      response.socket?.resetAndDestroy();
      return;
    }
    ok(response, {
      message_id: id,
      date: Math.floor(Date.now() / 1000),
      chat: { id: Number(chatId), type: "private", first_name: "Иван" },
      from: { id: idOf(token), is_bot: true, first_name: "Бот" },
      text,
    });
  }

  function editMessageText(response: ServerResponse, input: Record<string, unknown>): void {
    const standing = started.standing.get(Number(input.message_id));
    const { inline_keyboard = [] } = (input.reply_markup ?? {}) as { inline_keyboard?: StandingMessage["buttons"][] };
    const [text, buttons] = [String(input.text), inline_keyboard.flat()];
    if (standing?.chatId !== String(input.chat_id)) fail(response, 400, "Bad Request: message to edit not found");
    else if (text === standing.text && JSON.stringify(buttons) === JSON.stringify(standing.buttons))
      fail(response, 400, "Bad Request: message is not modified");
    else {
      Object.assign(standing, { text, buttons });
      ok(response, true);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  started.root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return started;
}

const idOf = (token: string): number => Number(token.split(":")[0]);
/** The length as Telegram counts it, without the marks. */
const plainLength = (text: string, parseMode: string | undefined): number =>
  (parseMode === "HTML" ? text.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt);/g, "x") : text).length;

function ok(response: ServerResponse, result: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ok: true, result }));
}

function fail(response: ServerResponse, status: number, description: string, parameters?: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) }));
}
