/** The interface of every platform to the rest of the server. A channel speaks one platform's protocol and stores nothing itself. */
import * as z from "zod/mini";
import type { ChannelPlatform } from "#contract/integrations/integrations.ts";
import { MEDIA_KINDS } from "#contract/models/media-readers.ts";
import type { ChannelState } from "./channel-state.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A recording or a picture that the platform keeps for us until we fetch it. */
export const Attached = z.object({
  kind: z.enum(MEDIA_KINDS),
  /** As it stands in `attachments`. */
  name: z.string(),
  /** Where the platform keeps it; its form is the channel's own. */
  at: z.record(z.string(), z.unknown()),
  /** As the platform says; no code relies on either. */
  seconds: z.optional(z.number()),
  bytes: z.optional(z.number()),
  /** The platform's own transcript; no other reader is used then. */
  heard: z.optional(z.string()),
});
export type Attached = z.infer<typeof Attached>;

/** The result for an attached recording or picture; `confidence` is null if it was not read. */
export const AttachedWords = z.object({ place: z.number(), text: z.string(), confidence: z.nullable(z.number()) });
export type AttachedWords = z.infer<typeof AttachedWords>;

/** What the receiving server has found of a sender who is only named: that it is he, that it is not, or nothing. */
export const SenderAuthenticity = z.enum(["passed", "unknown", "failed"]);
export type SenderAuthenticity = z.infer<typeof SenderAuthenticity>;

/** An incoming message in the same form for every platform; stored as JSON in `inbox_events.inbound`. */
export const Inbound = z.object({
  /** The platform's id of the event, the same however often it is delivered. */
  eventId: z.string(),
  /** The platform's id of the conversation, to which an answer is sent. */
  conversation: z.string(),
  /** Order within the conversation, as the platform counts it. */
  position: z.number(),
  /** `id` has the form that the platform's export files use, so that a contact of the history is recognised. */
  peer: z.object({
    id: z.string(),
    name: z.string(),
    /** The name as it is shown: «@ivan», an address, a number. */
    handle: z.optional(z.string()),
  }),
  /** "" for a message that consists of attachments alone. */
  text: z.string(),
  /** Names of the attachments: «Фото», «Голосовое сообщение». */
  attachments: z.array(z.string()),
  /** Attachments that can be fetched and read. Once the event is stored: those that a reader here handles. */
  media: z.optional(z.array(Attached)),
  /** What they say, as far as they were read; added to a stored event. */
  words: z.optional(z.array(AttachedWords)),
  /** ISO 8601 */
  sentAt: z.string(),
  /** Whether a program wrote it: it is not answered, because two programs could talk endlessly. */
  automated: z.boolean(),
  /** Whether the owner wrote it in another client of the same account: the twin steps back in this conversation. */
  fromOwner: z.optional(z.boolean()),
  /** The contact has closed the conversation at the platform: nothing is sent there until he opens it again. */
  stopped: z.optional(z.boolean()),
  /** Set where the sender can be forged, as in letters. Absent: the platform knows who has written. */
  sender: z.optional(
    z.object({
      authenticity: SenderAuthenticity,
      /** `Outgoing.key` of messages of ours that it refers to: only who has received one can know it. */
      refersTo: z.array(z.string()),
    }),
  ),
  /** The message counts only in a known conversation; otherwise it is, for example, the owner's letter to another person. */
  joinsOnly: z.optional(z.boolean()),
  /** Id of the account that has connected this chat: nothing of it is stored unless the owner has accepted the connection. The name stands in stored events. */
  lentBy: z.optional(z.string()),
  /** The platform's id of the message, which identifies the echo of our own send. */
  messageId: z.optional(z.string()),
  /** A message to a bot itself from a user who may be its owner: the code of the link, and the message that is answered. */
  toBot: z.optional(z.object({ code: z.optional(z.string()), replyTo: z.optional(z.string()) })),
  /** What an answer needs: a letter's subject and references, a thread, a connection. Stored with the conversation. */
  context: z.optional(z.record(z.string(), z.unknown())),
});
export type Inbound = z.infer<typeof Inbound>;

/** A Telegram user connects chats of his own account to a bot, changes the connection or removes it. */
export interface BusinessConnectionChange {
  connection: { externalId: string; name: string; canReply: boolean; enabled: boolean };
  /** The platform's counter: the greater value is newer. */
  order: number;
}

/** Messages of a conversation (by `Inbound.position`) that were changed, or deleted where `text` is null. */
export interface MessageChange {
  conversation: string;
  positions: number[];
  text: string | null;
}

/** Something about a contact that his next answer must know; a message that comes later brings a context of its own. */
export interface ContextChange {
  conversation: string;
  /** Merged into the conversation's `Inbound.context`. */
  context: Record<string, unknown>;
}

/** A user has pressed a button under one of our messages. */
export interface ButtonPress {
  press: {
    /** The platform's id of the press, needed to answer it. */
    id: string;
    /** The chat that holds the message; `by`: who has pressed. */
    chat: string;
    by: string;
    messageId: string;
    /** The data that we have attached to the button. */
    data: string;
  };
  eventId: string;
}

/** What a platform reports besides messages. */
export type Notice = BusinessConnectionChange | MessageChange | ContextChange | ButtonPress;

/** How long and how large an original may be while it is fetched. */
export interface FetchLimits {
  signal: AbortSignal;
  maxBytes: number;
}

/** A message to the owner about a draft, with buttons for his decision. */
export interface Card {
  title: string;
  lines: readonly { label: string; text: string }[];
  /** Other people's words, shown apart from ours. */
  quotes: readonly { label: string; text: string }[];
  buttons: readonly { label: string; data: string }[];
}

/** Speaks with the owner in his private chat with the account. Nothing here throws: failures are results. */
export interface OwnerChatTransport {
  /** A link that opens the chat with the account and passes a code. */
  linkTo(account: string, code: string): string;
  /** @param ending when aborted, the card is not sent any more */
  show(chat: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** Replaces what a message shows; also succeeds where it shows that already or is gone. */
  change(chat: string, messageId: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** @param asks whether a field for an answer to this message is opened */
  say(chat: string, text: string, asks?: boolean): Promise<SendResult>;
  /** @param refused whether the sentence is shown so that it must be read */
  answerPress(id: string, text: string, refused: boolean): Promise<void>;
}

export interface ChannelAccount {
  /** The name that the owner sees: «@shop_bot». */
  name: string;
  /** The platform's id. */
  id: string;
}

export interface Outgoing {
  /**
   * The same for each attempt, so that platforms with such keys (Discord's nonce, MTProto's random_id, a letter's Message-ID) deliver
   * once.
   */
  key: string;
  conversation: string;
  /** `context` of the newest incoming message. */
  context: Record<string, unknown>;
  /** When the newest message came in. */
  lastInboundAt: Date | null;
  /** Plain text of any length; the channel splits and formats it for its platform. */
  text: string;
  /** Number of this text's parts that an earlier attempt has delivered. */
  delivered: number;
}

export type SendFailure =
  /** The next part was certainly not taken and may be sent again. */
  | {
      ok: false;
      kind: "retry";
      afterMs: number;
      message: string;
      /** The platform was not reached at all; counted by core/outbox/circuit-breaker.ts. */
      away?: boolean;
    }
  /**
   * `unknown`: the part may have been delivered, so it is never sent again automatically. The other kinds cannot be helped by trying
   * again.
   */
  | { ok: false; kind: "unknown" | "auth" | "blocked" | "window_closed" | "invalid"; message: string };

/** `externalIds`: ids of the parts that this attempt has delivered, also when it failed afterwards. */
export type SendResult = { externalIds: string[] } & ({ ok: true } | SendFailure);

/** The position from which receiving continues; its form is the channel's own. */
export type Cursor = Record<string, unknown>;

/** Something that a stranger has sent, before it is read. */
export interface UntrustedEvent {
  /** The platform's name for it, the same however often it comes. */
  name: string;
  /** The cursor after it, used when it is set aside. */
  behind: Cursor;
  /** The original as JSON, where the platform does not deliver it a second time. */
  raw?: unknown;
  /** Describes the event and its sender as far as that is possible without reading it; «Сообщение» when absent. */
  title?: () => Promise<string>;
}

export interface Receiving {
  /** The organisation that receives the events. */
  organizationId: string;
  cursor: Cursor;
  /** For what a channel's client must keep besides, such as session keys. */
  state: ChannelState;
  /**
   * Stores the event (null: nothing for us) with the cursor after it, or throws; only then may the event be acknowledged to the platform.
   */
  emit(inbound: Inbound | null, cursor: Cursor): Promise<void>;
  /** `emit` for notices; for channels that have any. */
  tell?(notice: Notice, cursor: Cursor): Promise<void>;
  /**
   * Runs `work`, which reads an event and emits what it holds. Each try is recorded before it begins, so one that ends the whole process
   * counts as well. After `TRIES` the event is set aside for the owner, and the cursor moves on.
   * @throws what `work` throws where the event is not to blame: the platform or the database is away, or receiving ends
   */
  attempt(event: UntrustedEvent, work: () => Promise<void>): Promise<void>;
  /** Names of set-aside events that the owner wants read again; for channels that can fetch them again. */
  again(): Promise<string[]>;
  /** Called when the platform has answered. `limitation`: what this configuration cannot do, a sentence for the owner. */
  connected(limitation?: string | null): Promise<void>;
  signal: AbortSignal;
}

/** A delivery as it arrived; nothing in it is verified yet. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Raw bytes, because signatures cover these and not what is parsed from them. */
  body: Buffer;
}

/** What a platform reports later about an answer that we have sent, or may have sent. */
export interface Receipt {
  /** `key` of the answer, as we have passed it along. */
  key: string;
  /** Number of the part, from 1. */
  part: number;
  externalId: string;
  /** The reason why it did not arrive, for the owner; null: the platform has it. */
  failure: string | null;
}

/** An object is answered as JSON. */
type CheckAnswer = Record<string, unknown> | string | null;

/** How a platform delivers events to our address. */
export interface WebhookProtocol {
  /**
   * Whether the platform is the caller. Checked before the body is read where the headers alone prove it ("headers"), else with the raw
   * body. Compares in constant time. `secret`: what `announce` was given.
   */
  provenBy: "headers" | "body";
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** The messages in the delivery. The platform waits for our answer meanwhile. */
  read(body: unknown): Inbound[] | Promise<Inbound[]>;
  notices?(body: unknown): Notice[];
  /** The reports about our own messages. */
  receipts?(body: unknown): Receipt[];
  /** The answer to a delivery that only checks the address (Slack's url_verification, VK's confirmation); null for any other. */
  answerTo?(body: unknown): CheckAnswer | Promise<CheckAnswer>;
  /** The text by which the platform learns that a delivery was stored; absent: any answer with 200 will do. */
  accepted?: string;
  /** The text that answers the platform's GET (WhatsApp's challenge); null: refused. */
  challenge?(query: Readonly<Record<string, unknown>>, secret: string): string | null;
}

export interface Channel {
  readonly platform: ChannelPlatform;
  /** Greatest length of one message, UTF-16 units. */
  readonly maxChars: number;
  /** How fast messages may be sent; absent: without a limit. */
  readonly rateLimit?: RateLimit;
  /** What is impossible where events are not delivered to our address, a sentence for the owner. */
  readonly limitation?: string;
  /** The account that the credentials belong to. @throws ChannelTrouble */
  verify(signal?: AbortSignal): Promise<ChannelAccount>;
  /** Receives until the signal aborts. @throws ChannelTrouble */
  receive(receiving: Receiving): Promise<void>;
  /**
   * Asks the platform to deliver events to this address; where the owner enters the address himself, checks that it may.
   * @throws ChannelTrouble
   */
  announce?(webhook: { url: string; secret: string }, signal: AbortSignal): Promise<void>;
  webhook?: WebhookProtocol;
  /**
   * false: the account is connected in another process or not yet, and only its one connection may send and fetch. Absent: any process may.
   */
  sendsHere?(): boolean;
  /** Ends the session at the platform, because the integration was deleted; absent: there is nothing to end. Never throws. */
  leave?(): Promise<void>;
  /** Reads again what was set aside with its `raw`; absent: it is fetched again, or cannot be. @throws what reading throws */
  reread?(raw: unknown): Inbound[] | Promise<Inbound[]>;
  /**
   * The bytes of a recording or a picture; absent: this platform gives none.
   * @throws MediaUnavailable for a file that is no longer available or too large; whatever the platform or the network fails with, for
   * another try
   */
  fetchMedia?(at: Attached["at"], limits: FetchLimits): Promise<Buffer>;
  /** Never throws: every outcome is one of the results. */
  /** @param ending when aborted, no further part begins and what was not sent is not; what may have arrived is `unknown` */
  send(out: Outgoing, ending?: AbortSignal): Promise<SendResult>;
  /**
   * After the death of a process that was sending: whether the answer stands in the conversation since then. Sends nothing. Absent: the
   * platform cannot tell. Never throws.
   */
  arrived?(out: Outgoing, since: Date): Promise<SendResult>;
  /** Absent: this channel cannot speak with the owner. */
  ownerChat?: OwnerChatTransport;
  /** Shows the contact that the newest message (with its `context`) is being answered; a failure does not matter. */
  typing?(conversation: string, context: Record<string, unknown>): Promise<void>;
}

/** The reason why a platform refuses us. `message` is the Russian sentence for the owner and contains no provider's text. */
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
