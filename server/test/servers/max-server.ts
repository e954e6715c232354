/**
 * A local MAX for tests, strict as the published description (https://dev.max.ru/docs-api): it refuses a token outside the header,
 * parameters and fields that it does not know, too long texts, too many requests. Dialogs keep their messages, as people see them.
 */
import type { ServerResponse } from "node:http";
import { answer, Fates, type ProviderRequest, startProvider } from "./provider-server.ts";

export interface MaxServer {
  /** The value for MAX_API_URL. */
  root: string;
  /** How the next sends go wrong, by chat. */
  fates: Fates;
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The delivered messages in order, as they were sent. */
  sent: { chat: string; text: string; format: string | null }[];
  /** Number of calls that send a message, successful or not. */
  sends: number;
  /** Number of looks at a dialog. */
  reads: number;
  /** Milliseconds after which a delivered message can be read back. */
  lagMs: number;
  /** Number of looks at a dialog that fail with 503 from now on. */
  blind: number;
  /** Whether unclosed markup is refused, as a picky parser does. */
  strictMarks: boolean;
  /** Chats in which typing was shown. */
  typing: string[];
  /** Tokens that are refused with 401. */
  revoked: Set<string>;
  /** The subscriptions by token, the address first. */
  subscriptions: Map<string, Map<string, { secret: string; types: string[] }>>;
  /** The marker of each poll for updates; null when a poll gave none. */
  polls: (string | null)[];
  /** Files by their names, at the addresses that `maxAttachments` gives. */
  kept: Map<string, Buffer>;
  /** Names of the files that were fetched. */
  fetched: string[];
  /** What the callers did wrong: nothing, in a good run. */
  faults: string[];
  /** A user writes to the bot in a dialog; returns the update. */
  say(token: string, userId: number, text: string, more?: MaxMessageMore): MaxUpdate;
  /** Delivers any update by polling, also a repeated or a malformed one. */
  push(token: string, update: MaxUpdate): void;
  /** Puts a message of the bot's own account into a dialog, as another program of the owner's does. */
  sayAsBot(token: string, userId: number, text: string): MaxUpdate;
  close(): Promise<void>;
}

type MaxUpdate = Record<string, unknown>;

interface MaxMessageMore {
  chatType?: "dialog" | "chat" | "channel";
  attachments?: object[];
  link?: object;
  sender?: object;
  at?: number;
}

interface Bot {
  id: number;
  updates: { marker: number; update: MaxUpdate }[];
  confirmed: number;
  wake: (() => void) | null;
  /** When the last requests came. */
  requests: number[];
}

interface Kept {
  shownAt: number;
  message: MaxMessage;
}
type MaxMessage = ReturnType<typeof messageOf>;

const TYPES = new Set(
  "message_created message_callback message_edited message_removed bot_added bot_removed bot_started bot_stopped dialog_cleared dialog_muted dialog_removed dialog_unmuted user_added user_removed chat_title_changed".split(
    " ",
  ),
);
const PER_SECOND = 30;
const PER_CHAT_AND_SECOND = 2;
/** A little less than a second: a caller's clock ticks otherwise. */
const WINDOW_MS = 900;
/** A text with unclosed markup. */
const OPEN_MARK = /^[^*]*\*\*[^*]*$/;

/** The token of a bot is `max-` with its number and enough letters; its name is `shop7_bot`. */
export const maxToken = (bot: number): string => `max-${bot}-token-of-a-bot-0123456789`;
export const maxChat = (userId: number): number => 700_000 + userId;

export async function startMaxServer(): Promise<MaxServer> {
  const bots = new Map<string, Bot>();
  const dialogs = new Map<string, Kept[]>();
  const perChat = new Map<string, number[]>();
  let seq = 0;
  let marker = 0;
  const botOf = (token: string): Bot => {
    const id = Number(/^max-(\d+)-/.exec(token)?.[1]);
    const known = bots.get(token) ?? { id, updates: [], confirmed: 0, wake: null, requests: [] };
    bots.set(token, known);
    return known;
  };
  const keep = (message: MaxMessage, lagMs = 0) => {
    const chat = String(message.recipient.chat_id);
    dialogs.set(chat, [...(dialogs.get(chat) ?? []), { shownAt: Date.now() + lagMs, message }]);
  };

  const provider = await startProvider((request, response) => {
    const { method, path, query, headers } = request;
    if (path.startsWith("/file/")) return give(request, response);
    const token = headers.authorization ?? "";
    if (query.has("access_token")) return refuse(response, 401, "verify.token");
    if (!/^max-\d+-[\w-]{20,}$/.test(token) || started.revoked.has(token)) {
      return refuse(response, 401, "verify.token");
    }
    const bot = botOf(token);
    if (!mayPass(bot.requests, PER_SECOND)) return refuse(response, 429, "too.many.requests");
    const actions = /^\/chats\/(-?\d+)\/actions$/.exec(path);
    const place = actions === null ? path : "/chats/actions";
    const call = CALLS[place]?.[method];
    if (call === undefined) return refuse(response, CALLS[place] === undefined ? 404 : 405, "method.not.found");
    const fault = faultOf(request, call);
    if (fault !== null) {
      started.faults.push(`${method} ${path}: ${fault}`);
      return refuse(response, 400, "proto.payload");
    }
    const input = request.body === "" ? {} : JSON.parse(request.body);
    switch (`${method} ${place}`) {
      case "GET /me":
        return answer(response, 200, userOf(bot.id, { is_bot: true, username: `shop${bot.id}_bot` }));
      case "GET /updates":
        return poll(response, token, bot, query);
      case "GET /subscriptions": {
        const own = [...(started.subscriptions.get(token) ?? [])];
        const subscriptions = own.map(([url, { types }]) => ({ url, time: Date.now(), update_types: types }));
        return answer(response, 200, { subscriptions });
      }
      case "POST /subscriptions": {
        const own = started.subscriptions.get(token) ?? new Map();
        started.subscriptions.set(token, own.set(input.url, { secret: input.secret, types: input.update_types }));
        return answer(response, 200, { success: true });
      }
      case "DELETE /subscriptions":
        started.subscriptions.get(token)?.delete(query.get("url")!);
        return answer(response, 200, { success: true });
      case "POST /messages":
        return send(response, bot, query, input);
      case "GET /messages":
        return list(response, query);
      default:
        started.typing.push(actions![1]!);
        return answer(response, 200, { success: true });
    }
  });

  /** Where people's files lie the bot's token has no business. */
  function give({ method, path, headers, body }: ProviderRequest, response: ServerResponse): void {
    const name = path.slice("/file/".length);
    if (method !== "GET" || headers.authorization !== undefined || body !== "") {
      started.faults.push(`${method} ${path} with more than its address`);
    }
    const bytes = started.kept.get(name);
    if (bytes === undefined) refuse(response, 404, "not.found");
    else {
      started.fetched.push(name);
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
    }
  }

  async function poll(response: ServerResponse, token: string, bot: Bot, query: URLSearchParams): Promise<void> {
    started.polls.push(query.get("marker"));
    bot.confirmed = Math.max(bot.confirmed, Number(query.get("marker") ?? 0));
    const from = Number(query.get("marker") ?? bot.confirmed);
    const wanted = new Set(query.get("types")?.split(","));
    // While a subscription stands, polling gives nothing.
    const subscribed = (started.subscriptions.get(token)?.size ?? 0) > 0;
    const found = () =>
      subscribed
        ? []
        : bot.updates.filter((each) => each.marker >= from && wanted.has(String(each.update.update_type)));
    if (found().length === 0 && Number(query.get("timeout")) > 0) {
      await new Promise<void>((resolve) => {
        bot.wake = resolve;
        response.once("close", resolve);
        setTimeout(resolve, Number(query.get("timeout")) * 1000).unref();
      });
      bot.wake = null;
    }
    if (response.destroyed) return;
    const updates = found().slice(0, Number(query.get("limit")));
    answer(response, 200, {
      updates: updates.map(({ update }) => update),
      marker: (updates.at(-1)?.marker ?? from - 1) + 1,
    });
  }

  function send(
    response: ServerResponse,
    bot: Bot,
    query: URLSearchParams,
    input: { text: string; format?: string },
  ): void {
    started.sends++;
    const chat = query.get("chat_id")!;
    const sends = perChat.get(chat) ?? [];
    perChat.set(chat, sends);
    if (!mayPass(sends, PER_CHAT_AND_SECOND)) {
      refuse(response, 429, "too.many.requests");
      return;
    }
    if (started.strictMarks && input.format === "markdown" && OPEN_MARK.test(input.text)) {
      refuse(response, 400, "proto.payload");
      return;
    }
    started.fates.meet(chat, response, () => {
      if (query.get("disable_link_preview") !== "true") started.previews.push(input.text);
      started.sent.push({ chat, text: input.text, format: input.format ?? null });
      const text = input.format === "markdown" ? withoutMarks(input.text) : input.text;
      const recipient = { chat_id: Number(chat), chat_type: "dialog", user_id: Number(chat) - 700_000 };
      const sender = userOf(bot.id, { is_bot: true, username: `shop${bot.id}_bot` });
      const message = messageOf({ recipient, sender, text, mid: `mid.out${++seq}`, seq });
      keep(message, started.lagMs);
      return { message };
    });
  }

  function list(response: ServerResponse, query: URLSearchParams): void {
    started.reads++;
    if (started.blind > 0) {
      started.blind--;
      refuse(response, 503, "service.unavailable");
      return;
    }
    const kept = dialogs.get(query.get("chat_id")!) ?? [];
    const messages = kept.filter(({ shownAt }) => shownAt <= Date.now()).map(({ message }) => message);
    answer(response, 200, { messages: messages.reverse().slice(0, Number(query.get("count") ?? 50)) });
  }

  const started: MaxServer = {
    root: provider.root,
    fates: new Fates(),
    previews: [],
    sent: [],
    sends: 0,
    reads: 0,
    lagMs: 0,
    blind: 0,
    strictMarks: false,
    typing: [],
    revoked: new Set(),
    subscriptions: new Map(),
    polls: [],
    kept: new Map(),
    fetched: [],
    faults: [],
    say(token, userId, text, more) {
      const update = maxMessage(botOf(token).id, userId, text, more);
      keep(update.message);
      started.push(token, update);
      return update;
    },
    sayAsBot(token, userId, text) {
      const { id } = botOf(token);
      const recipient = { chat_id: maxChat(userId), chat_type: "dialog", user_id: userId };
      const message = messageOf({ recipient, sender: userOf(id, { is_bot: true }), text, mid: `mid.own${++seq}`, seq });
      keep(message);
      return { update_type: "message_created", timestamp: message.timestamp, message, user_locale: "ru" };
    },
    push(token, update) {
      const bot = botOf(token);
      bot.updates.push({ marker: ++marker, update });
      bot.wake?.();
    },
    close: provider.close,
  };
  return started;
}

/** Attachments as MAX describes them, of files that the server keeps: https://dev.max.ru/docs-api/objects/Attachment */
export function maxAttachments({ root }: MaxServer) {
  const payload = (name: string) => ({ url: `${root}/file/${name}`, token: "f9LHodD0cOI" });
  return {
    voice: (name: string, transcription: string | null = null) => ({
      type: "audio",
      payload: payload(name),
      transcription,
    }),
    photo: (name: string) => ({ type: "image", payload: { ...payload(name), photo_id: 8 } }),
    file: (name: string, size = 5) => ({ type: "file", payload: payload(name), filename: name, size }),
  };
}

let mids = 0;

/** The update of a message, without delivering it. */
export function maxMessage(bot: number, userId: number, text: string, more: MaxMessageMore = {}) {
  const { chatType = "dialog", attachments, link, sender, at = Date.now() } = more;
  const mid = `mid.${String(++mids).padStart(16, "0")}${at.toString(16).padStart(16, "0")}`;
  const recipient = { chat_id: maxChat(userId), chat_type: chatType, user_id: bot };
  const from = { ...userOf(userId, { is_bot: false }), ...sender };
  const message = messageOf({ recipient, sender: from, text, mid, seq: mids, at, attachments, link });
  return { update_type: "message_created", timestamp: at, message, user_locale: "ru" };
}

/** A user presses «Начать», or stops the bot. */
export const maxStart = (type: "bot_started" | "bot_stopped", userId: number, at = Date.now()): MaxUpdate => ({
  update_type: type,
  timestamp: at,
  chat_id: maxChat(userId),
  user: userOf(userId, { is_bot: false }),
  user_locale: "ru",
});

const userOf = (id: number, more: { is_bot: boolean; username?: string }) => ({
  user_id: id,
  first_name: more.is_bot ? "Магазин" : "Иван",
  last_name: "",
  name: more.is_bot ? "Магазин" : "Иван",
  last_activity_time: Date.now(),
  ...more,
});

interface Parts {
  recipient: { chat_id: number; chat_type: string; user_id: number };
  sender: object;
  text: string;
  mid: string;
  seq: number;
  at?: number;
  attachments?: object[] | undefined;
  link?: object | undefined;
}

/** `seq` is beyond what a double holds exactly, as MAX's are. */
const messageOf = ({ recipient, sender, text, mid, seq, at = Date.now(), attachments, link }: Parts) => ({
  sender,
  recipient,
  timestamp: at,
  ...(link === undefined ? {} : { link }),
  body: { mid, seq: 2 ** 56 + 16 * seq, text, ...(attachments === undefined ? {} : { attachments }) },
});

/** Takes the request, if not too many came within a second. */
function mayPass(times: number[], most: number): boolean {
  const now = Date.now();
  while (times.length > 0 && times[0]! < now - WINDOW_MS) times.shift();
  if (times.length >= most) return false;
  times.push(now);
  return true;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  answer(response, status, { code, message: `Key: error.${code}` });
}

const withoutMarks = (text: string): string =>
  text.replace(/\[([^\]\n]*)\]\(https?:[^\s()]*\)/g, "$1").replace(/\*\*|__|~~|\+\+|[*_`]/g, "");

type Check = (value: string) => boolean;
interface Call {
  query?: Record<string, Check>;
  /** Those of the query that must be there. */
  needs?: string[];
  body?: Record<string, (value: unknown) => boolean>;
  required?: string[];
}

const whole =
  (from: number, to: number): Check =>
  (value) =>
    /^-?\d{1,19}$/.test(value) && +value >= from && +value <= to;
const anyInteger = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const areTypes = (types: unknown): boolean => Array.isArray(types) && types.every((type) => TYPES.has(type));

const CALLS: Record<string, Record<string, Call>> = {
  "/me": { GET: {} },
  "/updates": {
    GET: {
      query: {
        limit: whole(1, 1000),
        timeout: whole(0, 90),
        marker: anyInteger,
        types: (value) => areTypes(value.split(",")),
      },
    },
  },
  "/subscriptions": {
    GET: {},
    POST: {
      body: {
        url: (value) => typeof value === "string" && value.startsWith("https://"),
        update_types: areTypes,
        secret: (value) => typeof value === "string" && /^[\w-]{5,256}$/.test(value),
      },
      required: ["url"],
    },
    DELETE: { query: { url: (value) => value.startsWith("https://") }, needs: ["url"] },
  },
  "/messages": {
    GET: {
      query: { chat_id: anyInteger, count: whole(1, 100), from: anyInteger, to: anyInteger },
      needs: ["chat_id"],
    },
    POST: {
      query: {
        chat_id: anyInteger,
        user_id: anyInteger,
        disable_link_preview: (value) => value === "true" || value === "false",
      },
      needs: ["chat_id"],
      body: {
        text: (value) => typeof value === "string" && value !== "" && value.length <= 4000,
        format: (value) => value === "markdown" || value === "html",
        notify: (value) => typeof value === "boolean",
        attachments: Array.isArray,
        link: (value) => typeof value === "object",
      },
      required: ["text"],
    },
  },
  "/chats/actions": {
    POST: {
      body: {
        action: (value) =>
          ["typing_on", "sending_photo", "sending_video", "sending_audio", "sending_file", "mark_seen"].includes(
            String(value),
          ),
      },
      required: ["action"],
    },
  },
};

/** What is wrong with a request, or null. */
function faultOf(
  { query, headers, body }: ProviderRequest,
  { query: known = {}, needs = [], ...call }: Call,
): string | null {
  for (const [name, value] of query) if (!known[name]?.(value)) return `query ${name}=${value}`;
  for (const name of needs) if (!query.has(name)) return `no ${name}`;
  if (call.body === undefined) return body === "" ? null : "a body";
  if (headers["content-type"] !== "application/json") return `content-type ${headers["content-type"]}`;
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(body);
  } catch {
    return "no JSON";
  }
  for (const [name, value] of Object.entries(fields)) if (!call.body[name]?.(value)) return `field ${name}`;
  for (const name of call.required ?? []) if (!(name in fields)) return `no ${name}`;
  return null;
}
