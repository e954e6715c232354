/** A Telegram bot: the Bot API through grammY's client. */
import { setTimeout as pause } from "node:timers/promises";
import { Api, type ApiClientOptions, GrammyError } from "grammy";
import type { Channel, Outgoing, Receiving, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal, MediaUnavailable, TOO_LARGE } from "#server/inbox/channel-protocol/fetch-media.ts";
import { isSame } from "#server/inbox/channel-protocol/signature.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { rethrowTrouble, sendFailure } from "./errors.ts";
import { type GrammySignal, grammySignal } from "./grammy-signal.ts";
import { telegramOwnerChat } from "./owner-chat-transport.ts";
import { NO_PREVIEW, TELEGRAM_MAX_CHARS, telegramHtml } from "./text.ts";
import { ALLOWED_UPDATES, chatOf, reportedOf } from "./update.ts";

const POLL_SECONDS = 25;
const VERIFY_MS = 5_000;
const SEND_MS = 20_000;
/** Milliseconds between messages: Telegram accepts one a second in a chat. */
const PART_MS = 1_000;
const SECRET_HEADER = "x-telegram-bot-api-secret-token";

/** grammY's types name its own HTTP library's fetch. */
type ClientFetch = NonNullable<ApiClientOptions["fetch"]>;

interface TelegramBotOptions {
  token: string;
  /** https://api.telegram.org, or a server with the same API. */
  apiRoot: string;
  proxy?: Proxied | null;
  sendMs?: number;
  partMs?: number;
}

export function telegramBot({
  token,
  apiRoot,
  proxy = null,
  sendMs = SEND_MS,
  partMs = PART_MS,
}: TelegramBotOptions): Channel {
  // An invalid token must not change the path of the URL.
  const safe = /^[\w:-]+$/.test(token) ? token : encodeURIComponent(token);
  const api = new Api(safe, {
    apiRoot,
    timeoutSeconds: POLL_SECONDS + 15,
    ...(proxy === null ? {} : { fetch: proxy.fetch as unknown as ClientFetch }),
  });
  const within = (ms: number, signal?: AbortSignal) =>
    grammySignal(AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]));
  return {
    platform: "telegram",
    maxChars: TELEGRAM_MAX_CHARS,
    rateLimit: { perConversationMs: PART_MS, perSecond: 30 },
    async verify(signal) {
      const me = await api.getMe(within(VERIFY_MS, signal)).catch(rethrowTrouble);
      return { name: `@${me.username}`, id: String(me.id) };
    },
    receive: (receiving) => poll(api, receiving),
    async announce({ url, secret }, signal) {
      const options = { secret_token: secret, allowed_updates: ALLOWED_UPDATES };
      await api.setWebhook(url, options, within(VERIFY_MS, signal)).catch(rethrowTrouble);
    },
    webhook: {
      provenBy: "headers",
      isAuthentic: ({ headers }, secret) => isSame(headers[SECRET_HEADER], secret),
      read(body) {
        const reported = reportedOf(body);
        return reported === null ? [] : [reported];
      },
    },
    send: (out, ending) => sendParts(api, out, partMs, { ending, within: () => within(sendMs, ending) }),
    async fetchMedia({ fileId }, limits) {
      const { file_path: path } = await api.getFile(String(fileId), grammySignal(limits.signal)).catch(rethrowLost);
      if (path === undefined || !/^\w[\w./-]{0,300}$/.test(path) || path.includes(".."))
        throw new MediaUnavailable(NO_FILE);
      // The URL contains the token, so it is made here and never logged or stored.
      return fetchOriginal({ url: `${apiRoot}/file/bot${safe}/${path}`, hosts: [], apiUrl: apiRoot, proxy }, limits);
    },
    ownerChat: telegramOwnerChat(api, (ending) => within(sendMs, ending)),
    async typing(conversation, context) {
      const { chat, through } = placeOf(conversation, context);
      await api.sendChatAction(chat, "typing", through, within(VERIFY_MS)).catch(() => {});
    },
  };
}

const NO_FILE = "Telegram больше не отдаёт этот файл.";

/** Telegram responds with 400 for files above 20 MB and for files that it no longer has. */
function rethrowLost(error: unknown): never {
  if (error instanceof GrammyError && error.error_code === 400)
    throw new MediaUnavailable(/too big/i.test(error.description) ? TOO_LARGE : NO_FILE);
  return rethrowTrouble(error);
}

/** Polls for updates after the cursor; requesting the next offset confirms all earlier ones to Telegram. */
async function poll(api: Api, { cursor, emit, attempt, connected, signal }: Receiving): Promise<void> {
  let offset = typeof cursor.offset === "number" ? cursor.offset : 0;
  let wait = 0;
  while (!signal.aborted) {
    const updates = await api
      .getUpdates({ offset, timeout: wait, allowed_updates: ALLOWED_UPDATES }, grammySignal(signal))
      .catch(async (error: unknown) => {
        if (signal.aborted) return [];
        // A webhook set by another program is removed, because this integration polls.
        if (error instanceof GrammyError && error.error_code === 409 && /webhook is active/i.test(error.description)) {
          await api.deleteWebhook({}, grammySignal(signal)).catch(rethrowTrouble);
          return [];
        }
        return rethrowTrouble(error);
      });
    if (signal.aborted) return;
    await connected();
    for (const update of updates) {
      if (signal.aborted) return;
      const behind = { offset: update.update_id + 1 };
      await attempt({ name: String(update.update_id), behind, raw: update }, () => emit(reportedOf(update), behind));
      offset = update.update_id + 1;
    }
    // The first request returns at once, so that the owner soon sees that the bot is connected.
    wait = POLL_SECONDS;
  }
}

const DAY_MS = 24 * 3600_000;
const WINDOW_CLOSED =
  "Собеседник не писал больше 24 часов: Telegram даёт отвечать от вашего имени только после его нового сообщения";

/** Returns whether the answer is too late: in connected chats a bot may answer only within a day of the contact's message. */
const isStale = (lastInboundAt: Date | null): boolean =>
  lastInboundAt === null || Date.now() - lastInboundAt.getTime() > DAY_MS;

interface Place {
  chat: string;
  through: { business_connection_id?: string; message_thread_id?: number };
}

/** A message in a topic of a private chat is answered in its topic. */
function placeOf(conversation: string, { threadId }: Outgoing["context"]): Place {
  const { chat, connection } = chatOf(conversation);
  const topic = typeof threadId === "number" ? { message_thread_id: threadId } : {};
  return { chat, through: { ...topic, ...(connection === null ? {} : { business_connection_id: connection }) } };
}

async function sendParts(
  api: Api,
  out: Outgoing,
  partMs: number,
  { ending, within }: { ending: AbortSignal | undefined; within: () => GrammySignal },
): Promise<SendResult> {
  const { chat, through } = placeOf(out.conversation, out.context);
  if (through.business_connection_id !== undefined && isStale(out.lastInboundAt)) {
    return { ok: false, kind: "window_closed", message: WINDOW_CLOSED, externalIds: [] };
  }
  const externalIds: string[] = [];
  try {
    for (const part of partsOf(out, TELEGRAM_MAX_CHARS).slice(out.delivered)) {
      if (externalIds.length > 0) await pause(partMs, undefined, { signal: ending });
      const sent = await api
        .sendMessage(chat, telegramHtml(part), { parse_mode: "HTML", ...NO_PREVIEW, ...through }, within())
        .catch((error: unknown) => {
          if (!(error instanceof GrammyError) || !/can't parse entities|too long/i.test(error.description)) throw error;
          return api.sendMessage(chat, part, { ...NO_PREVIEW, ...through }, within());
        });
      externalIds.push(String(sent.message_id));
    }
    return { ok: true, externalIds };
  } catch (error) {
    return { externalIds, ...sendFailure(error) };
  }
}
