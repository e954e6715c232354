/** Defines the interface between platforms and the rest of the server. A channel speaks one platform's protocol and stores nothing. */
import * as z from "zod/mini";
import type { ChannelPlatform } from "#contract/integrations/integrations.ts";
import { MEDIA_KINDS } from "#contract/models/media-readers.ts";
import type { ChannelState } from "./channel-state.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A recording or picture that the platform stores until the server fetches it. */
export const PlatformMedia = z.object({
  kind: z.enum(MEDIA_KINDS),
  /** The same name as in `Inbound.attachments`. */
  name: z.string(),
  /** The location at the platform; only the channel knows its format. */
  at: z.record(z.string(), z.unknown()),
  /** The platform's own claims about duration and size; no code relies on them. */
  seconds: z.optional(z.number()),
  bytes: z.optional(z.number()),
  /** The platform's own transcript; when it is set, nothing else recognises the recording. */
  heard: z.optional(z.string()),
});
export type PlatformMedia = z.infer<typeof PlatformMedia>;

/** The text of an attached recording or picture; `confidence` is null if it was not recognised. */
export const MediaText = z.object({ place: z.number(), text: z.string(), confidence: z.nullable(z.number()) });
export type MediaText = z.infer<typeof MediaText>;

/** The receiving mail server's verdict on the named sender: authentic, not checked, or forged. */
export const SenderAuthenticity = z.enum(["passed", "unknown", "failed"]);
export type SenderAuthenticity = z.infer<typeof SenderAuthenticity>;

/** An incoming message, the same for every platform; stored as JSON in `inbox_events.inbound`. */
export const Inbound = z.object({
  /** The platform's id of the event; repeated deliveries have the same id. */
  eventId: z.string(),
  /** The platform's id of the conversation, to which answers are sent. */
  conversation: z.string(),
  /** All ids of the conversation that the platform gives with this message; absent where it has a single one. */
  ids: z.optional(z.array(z.string())),
  /** The message's place in the conversation; the platform counts it. */
  position: z.number(),
  /** `id` has the form that the platform's export files use, so that a contact of the history is recognised. */
  peer: z.object({
    id: z.string(),
    name: z.string(),
    /** The name that users see: «@ivan», an email address, a phone number. */
    handle: z.optional(z.string()),
  }),
  /** "" when the message consists of attachments alone. */
  text: z.string(),
  /** Parts of a letter that are not its author's message: what it quotes or passes on, and the signature. They are shown, and not answered. */
  quoted: z.optional(z.string()),
  /** Display names of the attachments: «Фото», «Голосовое сообщение». */
  attachments: z.array(z.string()),
  /** Attachments that can be fetched and recognised. A stored event keeps only those that a configured reader handles. */
  media: z.optional(z.array(PlatformMedia)),
  /** Texts of the recognised attachments; added after the event is stored. */
  words: z.optional(z.array(MediaText)),
  /** ISO 8601. */
  sentAt: z.string(),
  /** Whether a program wrote the message. It gets no answer, because two programs could talk endlessly. */
  automated: z.boolean(),
  /** Whether the owner wrote the message in another client of the same account; then the twin pauses in this conversation. */
  fromOwner: z.optional(z.boolean()),
  /** Whether the contact has blocked the conversation at the platform. Nothing is sent until the contact opens it again. */
  stopped: z.optional(z.boolean()),
  /** Set on platforms where the sender can be forged, such as email. Absent where the platform guarantees the sender. */
  sender: z.optional(
    z.object({
      authenticity: SenderAuthenticity,
      /** `Outgoing.key` values of our messages that this message refers to. Only their recipient can know them. */
      refersTo: z.array(z.string()),
    }),
  ),
  /** The message counts only in a known conversation; otherwise it may be the owner's letter to another person. */
  joinsOnly: z.optional(z.boolean()),
  /**
   * Id of the account that connected this chat (Telegram Business). Nothing is stored unless the owner has accepted the connection. Stored
   * events contain this field name, so it cannot be renamed.
   */
  lentBy: z.optional(z.string()),
  /** The platform's id of the message, which identifies the echo of a message that we sent. */
  messageId: z.optional(z.string()),
  /** Set for a message to the bot itself from a user who may be its owner: the link's code, and the id of the replied-to message. */
  toBot: z.optional(z.object({ code: z.optional(z.string()), replyTo: z.optional(z.string()) })),
  /** The platform's own form of a message with content that the reader does not know, kept for later reading. */
  original: z.optional(z.unknown()),
  /** What an answer needs: a letter's subject and references, a thread, a connection. Stored with the conversation. */
  context: z.optional(z.record(z.string(), z.unknown())),
});
export type Inbound = z.infer<typeof Inbound>;

/** A Telegram user connects chats of their own account to a bot, changes the connection or removes it. */
export interface BusinessConnectionChange {
  connection: { externalId: string; name: string; canReply: boolean; enabled: boolean };
  /** The platform's counter; the greater value is newer. */
  order: number;
}

/** Messages of a conversation that were edited or deleted. */
export interface MessageChange {
  conversation: string;
  /** As `Inbound.ids`. */
  ids?: readonly string[];
  /** By `Inbound.position`, or by `Inbound.messageId` on platforms whose positions are times. */
  messages: { by: "position"; ids: number[] } | { by: "messageId"; ids: string[] };
  /** What the message says now; null: it was deleted. */
  content: Pick<Inbound, "text" | "attachments" | "media" | "original"> | null;
  /** The edited message as a new one, which is stored when the message itself has never arrived. */
  instead?: Inbound;
}

/** A change that the next answer to a contact must know; a later message replaces it with its own context. */
export interface ContextChange {
  conversation: string;
  /** Merged into the conversation's `Inbound.context`. */
  context: Record<string, unknown>;
}

export interface ButtonPress {
  press: {
    /** The platform's id of the press, needed to acknowledge it. */
    id: string;
    /** `chat` holds the message; `by` is the user who pressed the button. */
    chat: string;
    by: string;
    messageId: string;
    data: string;
  };
  eventId: string;
}

/** An event of which the reader cannot tell whom it concerns. It is kept for the owner instead of being counted to anybody. */
export interface UnreadEvent {
  unread: {
    /** The same for each delivery of the event. */
    name: string;
    title: string;
    /** A Russian sentence without its full stop. */
    reason: string;
    raw: unknown;
  };
}

export type Notice = BusinessConnectionChange | MessageChange | ContextChange | ButtonPress | UnreadEvent;
/** What a platform's event says: a message, or a notice about earlier ones. */
export type Reported = Inbound | Notice;
export const isInbound = (reported: Reported): reported is Inbound => "peer" in reported;

/** Limits of time (the signal) and size for fetching an original. */
export interface FetchLimits {
  signal: AbortSignal;
  maxBytes: number;
}

/** A message that asks the owner to decide about a draft, with buttons. */
export interface Card {
  title: string;
  lines: readonly { label: string; text: string }[];
  /** Texts of other people, shown apart from the server's own words. */
  quotes: readonly { label: string; text: string }[];
  buttons: readonly { label: string; data: string }[];
}

/** Talks with the owner in his private chat with the account. No method throws: failures are results. */
export interface OwnerChatTransport {
  /** Returns a link that opens the chat with the account and passes a code to it. */
  linkTo(account: string, code: string): string;
  /** @param ending when aborted, the card is no longer sent */
  show(chat: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** Replaces the content of a message; also succeeds when it shows that content already or was deleted. */
  change(chat: string, messageId: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** @param asks whether the platform opens a reply field for this message */
  say(chat: string, text: string, asks?: boolean): Promise<SendResult>;
  /** @param refused whether the text is shown as an alert that the owner must close */
  answerPress(id: string, text: string, refused: boolean): Promise<void>;
}

export interface ChannelAccount {
  /** The name that the owner sees: «@shop_bot». */
  name: string;
  id: string;
}

export interface Outgoing {
  /**
   * The same for each attempt, so that platforms with such keys (Discord's nonce, MTProto's random_id, a letter's Message-ID) deliver the
   * message once.
   */
  key: string;
  conversation: string;
  /** `Inbound.context` of the newest incoming message. */
  context: Record<string, unknown>;
  lastInboundAt: Date | null;
  /** Plain text of any length; the channel splits and formats it for its platform. */
  text: string;
  /** Whether each paragraph of the text is a message of its own; absent otherwise. A letter is always one. */
  parted?: boolean;
  /** Number of parts of this text that an earlier attempt delivered. */
  delivered: number;
}

export type SendFailure =
  /** The platform certainly did not accept the next part, so it may be sent again. */
  | {
      ok: false;
      kind: "retry";
      afterMs: number;
      message: string;
      /** Whether the platform was unreachable; outbox/circuit-breaker.ts counts this. */
      away?: boolean;
    }
  /** `unknown`: the part may have been delivered, so it is never sent again automatically. For the other kinds a retry cannot help. */
  | { ok: false; kind: "unknown" | "auth" | "blocked" | "window_closed" | "invalid"; message: string };

/** `externalIds`: ids of the parts that this attempt delivered, even if it failed afterwards. */
export type SendResult = { externalIds: string[] } & ({ ok: true } | SendFailure);

/** The position from which receiving continues; only the channel knows its format. */
export type Cursor = Record<string, unknown>;

/** An event from a stranger before it is parsed; parsing may fail or crash. */
export interface UntrustedEvent {
  /** The platform's name of the event; repeated deliveries have the same name. */
  name: string;
  /** The cursor after the event, stored when the event is set aside. */
  behind: Cursor;
  /** The original as JSON, when the platform does not deliver it a second time. */
  raw?: unknown;
  /** Describes the event and its sender as far as possible without parsing it; «Сообщение» when absent. */
  title?: () => Promise<string>;
}

export interface Receiving {
  organizationId: string;
  cursor: Cursor;
  /** State that the channel's client must keep between connections, such as session keys. */
  state: ChannelState;
  /** Stores the event (null: nothing for us) and the cursor after it, or throws. Only then may the channel acknowledge the event. */
  emit(reported: Reported | null, cursor: Cursor): Promise<void>;
  /**
   * Runs `work`, which parses an event and emits its content. Each try is recorded before it begins, so a try that crashes the process
   * counts too. After `TRIES` tries the event is set aside for the owner, and the cursor moves on.
   * @throws errors of `work` that the event did not cause: the platform or database is unavailable, or receiving ends
   */
  attempt(event: UntrustedEvent, work: () => Promise<void>): Promise<void>;
  /** Returns names of set-aside events that the owner wants to retry, for channels that can fetch them again. */
  again(): Promise<string[]>;
  /** Called when the platform has responded. `limitation`: a sentence for the owner about what this configuration cannot do. */
  connected(limitation?: string | null): Promise<void>;
  signal: AbortSignal;
}

/** A delivery as it arrived; nothing in it is verified yet. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Raw bytes, because signatures cover the bytes and not the parsed object. */
  body: Buffer;
}

export interface Receipt {
  /** `Outgoing.key` of the answer. */
  key: string;
  /** Number of the part, from 1. */
  part: number;
  externalId: string;
  /** The reason why the part did not arrive, for the owner; null: it was delivered. */
  failure: string | null;
}

/** An object is sent as JSON. */
type CheckAnswer = Record<string, unknown> | string | null;

/** How a platform delivers events to a webhook address of ours. */
export interface WebhookProtocol {
  /**
   * Returns whether the platform is the caller, in constant time. With "headers" it runs before the body is read, with "body" on the raw
   * body. `secret` is the one that `announce` received.
   */
  provenBy: "headers" | "body";
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** Returns what a delivery says. The platform waits for the response meanwhile. */
  read(body: unknown): Reported[] | Promise<Reported[]>;
  receipts?(body: unknown): Receipt[];
  /**
   * Returns the response to a delivery that only verifies the address (Slack's url_verification, VK's confirmation); null for any other.
   */
  answerTo?(body: unknown): CheckAnswer | Promise<CheckAnswer>;
  /** The response text that acknowledges a stored delivery; absent when any status 200 acknowledges it. */
  accepted?: string;
  /** Returns the response to the platform's GET request (WhatsApp's challenge); null when it is refused. */
  challenge?(query: Readonly<Record<string, unknown>>, secret: string): string | null;
}

export interface Channel {
  readonly platform: ChannelPlatform;
  /** Greatest length of one message in UTF-16 code units. */
  readonly maxChars: number;
  /** How fast messages may be sent; absent when there is no limit. */
  readonly rateLimit?: RateLimit;
  /** A sentence for the owner about what does not work without a webhook. */
  readonly limitation?: string;
  /** Returns the account that the credentials belong to. @throws ChannelTrouble */
  verify(signal?: AbortSignal): Promise<ChannelAccount>;
  /** Receives until the signal aborts. @throws ChannelTrouble */
  receive(receiving: Receiving): Promise<void>;
  /**
   * Asks the platform to deliver events to this address. When the owner must enter the address himself, it only checks the permission.
   * @throws ChannelTrouble
   */
  announce?(webhook: { url: string; secret: string }, signal: AbortSignal): Promise<void>;
  webhook?: WebhookProtocol;
  /**
   * Returns whether this process may send and fetch. False: the account's only connection is in another process or not open yet. Absent:
   * any process may.
   */
  sendsHere?(): boolean;
  /** Ends the session at the platform after the integration was deleted; absent when there is no session. Never throws. */
  leave?(): Promise<void>;
  /** Parses a set-aside event again from its `raw`. Absent: such events are fetched again, or cannot be. @throws errors of parsing */
  reread?(raw: unknown): Reported[] | Promise<Reported[]>;
  /**
   * Returns the bytes of a recording or picture; absent when the platform provides none.
   * @throws MediaUnavailable for a file that is gone or too large; other errors of the platform or network, after which a retry may help
   */
  fetchMedia?(at: PlatformMedia["at"], limits: FetchLimits): Promise<Buffer>;
  /** Sends an answer. Never throws: every outcome is one of the results. */
  /** @param ending when aborted, no further part is sent; a part that may have arrived is reported as `unknown` */
  send(out: Outgoing, ending?: AbortSignal): Promise<SendResult>;
  /**
   * Checks whether an answer has arrived since a time, after the process that sent it died. Sends nothing and never throws. Absent when the
   * platform cannot be asked.
   */
  arrived?(out: Outgoing, since: Date): Promise<SendResult>;
  /** Absent when this channel cannot talk with the owner. */
  ownerChat?: OwnerChatTransport;
  /** Shows the contact that the newest message (with its `context`) is being answered; the caller ignores failures. */
  typing?(conversation: string, context: Record<string, unknown>): Promise<void>;
}

/** The reason why a platform refuses us. `message` is a Russian sentence for the owner and contains no text of the platform. */
export class ChannelTrouble extends Error {
  /** auth: the credentials are refused and the owner must act; conflict: another process receives for this account; away: temporary. */
  readonly kind: "auth" | "conflict" | "away";
  /** Milliseconds that the platform asks to wait, or null. */
  readonly afterMs: number | null;

  constructor(kind: ChannelTrouble["kind"], message: string, afterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.afterMs = afterMs;
  }
}
