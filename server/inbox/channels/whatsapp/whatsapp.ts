/** WhatsApp's Cloud API: sends by Meta's Graph API, receives signed webhooks. https://developers.facebook.com/docs/whatsapp/cloud-api */
import * as z from "zod/mini";
import {
  type Channel,
  type ChannelAccount,
  ChannelTrouble,
  type Outgoing,
  type SendFailure,
  type SendResult,
} from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal, MediaUnavailable } from "#server/inbox/channel-protocol/fetch-media.ts";
import { isUnsent } from "#server/inbox/channel-protocol/is-unsent.ts";
import { whatsappText } from "#server/inbox/channel-protocol/markup.ts";
import { hmacHex, isSame } from "#server/inbox/channel-protocol/signature.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import { stayConnected } from "#server/inbox/channel-protocol/stay-connected.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { receiptsOf, reportedOf } from "./delivery.ts";
import { isTooFast, TOKEN_REFUSED, WINDOW_CLOSED, whatsappFailure } from "./errors.ts";

const VERSION = "v25.0";
const MAX_CHARS = 4096;
/** Milliseconds after a contact's message in which WhatsApp allows free-form messages to him. */
const WINDOW_MS = 24 * 3600_000;
const VERIFY_MS = 5_000;
const SEND_MS = 20_000;
const SIGNATURE = "x-hub-signature-256";

const NO_SECRET = "Только отправка: чтобы получать сообщения, укажите App Secret приложения Meta";
const NO_ADDRESS = "Только отправка: WhatsApp доставляет сообщения лишь серверу с адресом https";

interface WhatsappOptions {
  accessToken: string;
  /** The secret with which Meta signs deliveries; without it nothing is received. */
  appSecret: string | null;
  /** The number as the owner has entered it, or its id; null: the only number that the token reaches. */
  phoneNumber: string | null;
  /** The id that `verify` has found; null: it was not called yet. */
  phoneNumberId: string | null;
  graphUrl: string;
  proxy?: Proxied | null;
  sendMs?: number;
}

export function whatsapp(options: WhatsappOptions): Channel {
  const { appSecret, phoneNumberId } = options;
  const call = graphCall(options);
  const verify = (signal?: AbortSignal) => findNumber(options, call, signal).catch(rethrowTrouble);
  const idOf = async (signal?: AbortSignal) => phoneNumberId ?? (await verify(signal)).id;
  const limitation = appSecret === null ? NO_SECRET : NO_ADDRESS;
  return {
    platform: "whatsapp",
    maxChars: MAX_CHARS,
    limitation,
    // WhatsApp accepts several messages to one person at once, and then says how long to wait.
    rateLimit: { perConversationMs: 0, perSecond: 80 },
    verify,
    receive: (receiving) => stayConnected(receiving, verify, limitation),
    ...(appSecret === null ? {} : incoming(appSecret, phoneNumberId, verify)),
    send: (out, ending) =>
      sendParts(
        out,
        () => idOf(ending),
        call,
        () => within(options.sendMs ?? SEND_MS, ending),
      ),
    async fetchMedia({ mediaId }, limits) {
      const found = await call(`/${encodeURIComponent(String(mediaId))}`, { signal: limits.signal }).catch(rethrowLost);
      const { url } = MediaPlace.parse(found);
      const headers = { authorization: `Bearer ${options.accessToken}` };
      return fetchOriginal(
        { proxy: options.proxy ?? null, url, headers, hosts: MEDIA_HOSTS, apiUrl: options.graphUrl },
        limits,
      );
    },
    async typing(_conversation, { messageId }) {
      if (typeof messageId !== "string") return;
      // The same call shows the blue ticks: both signal that the message is being answered.
      const read = { messaging_product: "whatsapp", status: "read", message_id: messageId };
      const body = { ...read, typing_indicator: { type: "text" } };
      await idOf()
        .then((id) => call(`/${id}/messages`, { body, signal: AbortSignal.timeout(VERIFY_MS) }))
        .catch(() => {});
    },
  };
}

const MediaPlace = z.object({ url: z.string() });
const MEDIA_HOSTS = ["lookaside.fbsbx.com", ".fbsbx.com", ".whatsapp.net"];

/** Says that a missing file is no longer available: Meta deletes files after 30 days. */
function rethrowLost(error: unknown): never {
  if (error instanceof GraphError && (error.status === 404 || (error.status === 400 && error.code === 100)))
    throw new MediaUnavailable("WhatsApp больше не отдаёт этот файл.");
  return rethrowTrouble(error);
}

function incoming(
  appSecret: string,
  phoneNumberId: string | null,
  verify: Channel["verify"],
): Required<Pick<Channel, "announce" | "webhook">> {
  return {
    async announce(_webhook, signal) {
      await verify(signal);
    },
    webhook: {
      provenBy: "body",
      isAuthentic: ({ headers, body }) => isSame(headers[SIGNATURE], `sha256=${hmacHex(appSecret, body)}`),
      read: (body) => reportedOf(body, phoneNumberId),
      receipts: receiptsOf,
      challenge: (query, secret) =>
        query["hub.mode"] === "subscribe" && isSame(String(query["hub.verify_token"]), secret)
          ? String(query["hub.challenge"] ?? "")
          : null,
    },
  };
}

const within = (ms: number, signal?: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);

class GraphError extends Error {
  readonly status: number;
  /** Meta's error code; null when the response is not from Meta. */
  readonly code: number | null;

  constructor(status: number, code: number | null) {
    super(`Graph API: ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

type GraphCall = (path: string, more: { body?: object; signal: AbortSignal }) => Promise<unknown>;

const Refusal = z.object({ error: z.object({ code: z.number() }) });

/** Sends a POST when there is a body, otherwise a GET. @throws GraphError, or the error that broke the connection */
function graphCall({ graphUrl, accessToken, proxy }: WhatsappOptions): GraphCall {
  const go = proxy?.fetch ?? fetch;
  return async (path, { body, signal }) => {
    const response = await go(`${graphUrl}/${VERSION}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const answer: unknown = await response.json().catch((error: unknown) => {
      if (error instanceof SyntaxError) return null;
      throw error;
    });
    const refusal = Refusal.safeParse(answer);
    if (response.ok && !refusal.success) return answer;
    throw new GraphError(response.status, refusal.success ? refusal.data.error.code : null);
  };
}

const TokenInfo = z.object({
  data: z.object({
    is_valid: z.optional(z.boolean()),
    granular_scopes: z._default(
      z.array(z.object({ scope: z.string(), target_ids: z.optional(z.array(z.string())) })),
      [],
    ),
  }),
});
const Numbers = z.object({ data: z.array(z.object({ id: z.string(), display_phone_number: z.string() })) });

/** Finds the number among those of the business accounts that the token reaches. */
async function findNumber(
  { accessToken, phoneNumber }: WhatsappOptions,
  call: GraphCall,
  signal?: AbortSignal,
): Promise<ChannelAccount> {
  const limits = { signal: within(VERIFY_MS, signal) };
  const { data } = TokenInfo.parse(await call(`/debug_token?input_token=${encodeURIComponent(accessToken)}`, limits));
  if (data.is_valid === false) throw new ChannelTrouble("auth", TOKEN_REFUSED);
  const reached = data.granular_scopes.filter(({ scope }) => scope.startsWith("whatsapp_business_"));
  const accounts = [...new Set(reached.flatMap(({ target_ids }) => target_ids ?? []))];
  const found: z.infer<typeof Numbers>["data"] = [];
  for (const account of accounts) {
    const path = `/${encodeURIComponent(account)}/phone_numbers?fields=id,display_phone_number&limit=100`;
    const numbers = Numbers.parse(await call(path, limits)).data;
    // Some owners enter the account's own id instead of the number.
    if (account === phoneNumber && numbers.length === 1) return accountOf(numbers[0]!);
    found.push(...numbers);
  }
  if (found.length === 0) throw new ChannelTrouble("auth", NO_NUMBERS);
  const wanted = digits(phoneNumber ?? "");
  if (wanted === "" && found.length > 1) throw new ChannelTrouble("auth", SEVERAL_NUMBERS);
  const number = found.find(
    ({ id, display_phone_number: shown }) => wanted === "" || id === phoneNumber || digits(shown) === wanted,
  );
  if (number === undefined) throw new ChannelTrouble("auth", OTHER_NUMBER);
  return accountOf(number);
}

const accountOf = (number: { id: string; display_phone_number: string }): ChannelAccount => ({
  id: number.id,
  name: number.display_phone_number,
});
/** Russians write «8 900 …» for the number that WhatsApp shows as +7 900 …. */
const digits = (text: string): string => text.replace(/\D/g, "").replace(/^8(?=\d{10}$)/, "7");

const NO_NUMBERS = "Ключ не даёт доступа ни к одному номеру WhatsApp: нужны права whatsapp_business_messaging";
const SEVERAL_NUMBERS = "Ключ даёт доступ к нескольким номерам: укажите номер телефона";
const OTHER_NUMBER = "Этого номера нет среди номеров WhatsApp, к которым ключ даёт доступ";

const Sent = z.object({ messages: z.array(z.object({ id: z.string() })).check(z.minLength(1)) });

async function sendParts(
  out: Outgoing,
  idOf: () => Promise<string>,
  call: GraphCall,
  signal: () => AbortSignal,
): Promise<SendResult> {
  const externalIds: string[] = [];
  if (out.lastInboundAt !== null && Date.now() - out.lastInboundAt.getTime() > WINDOW_MS) {
    return { externalIds, ok: false, kind: "window_closed", message: WINDOW_CLOSED };
  }
  try {
    const path = `/${await idOf()}/messages`;
    const parts = partsOf(out, MAX_CHARS);
    for (const [place, part] of parts.entries()) {
      if (place < out.delivered) continue;
      const body = {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        // A number goes by another field than the id of a person who hides it.
        ...(/^\d+$/.test(out.conversation) ? { to: out.conversation } : { recipient: out.conversation }),
        type: "text",
        text: { body: whatsappText(part), preview_url: false },
        // Receipts repeat this key, which shows that a send whose response was lost has arrived.
        biz_opaque_callback_data: `${out.key}:${place + 1}`,
      };
      const answer = await call(path, { body, signal: signal() });
      externalIds.push(Sent.parse(answer).messages[0]!.id);
    }
    return { ok: true, externalIds };
  } catch (error) {
    return { externalIds, ...sendFailure(error) };
  }
}

function sendFailure(error: unknown): SendFailure {
  if (error instanceof ChannelTrouble) {
    const { message } = error;
    return error.kind === "auth"
      ? { ok: false, kind: "auth", message }
      : { ok: false, kind: "retry", afterMs: error.afterMs ?? 5_000, message, away: error.afterMs === null };
  }
  if (error instanceof GraphError) {
    const failure = whatsappFailure(error.status, error.code);
    if (failure !== null) return failure;
  }
  if (isUnsent(error)) return { ok: false, kind: "retry", afterMs: 5_000, message: "WhatsApp недоступен", away: true };
  return { ok: false, kind: "unknown", message: "Связь с WhatsApp прервалась: дошло ли сообщение, неизвестно" };
}

function rethrowTrouble(error: unknown): never {
  if (error instanceof ChannelTrouble) throw error;
  if (error instanceof GraphError) {
    const { status, code } = error;
    if (isTooFast(status, code)) throw new ChannelTrouble("away", "WhatsApp просит подождать", 60_000);
    const failure = whatsappFailure(status, code);
    if (failure !== null) throw new ChannelTrouble("auth", failure.kind === "auth" ? failure.message : TOKEN_REFUSED);
  }
  throw new ChannelTrouble("away", "WhatsApp недоступен");
}
