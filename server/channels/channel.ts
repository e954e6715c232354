/** What every platform looks like to the rest of the server. A channel speaks one platform's protocol and keeps nothing itself. */
import * as z from "zod/mini";
import type { ChannelPlatform } from "#contract/integrations.ts";
import type { ChannelState } from "./channel-state.ts";
import type { Pace } from "./pace.ts";

/** A message as it came in, the same for every platform; kept as JSON in `inbox_events.inbound`. */
export const Inbound = z.object({
  /** The platform's id of the delivery: the same event has the same id however often it comes. */
  eventId: z.string(),
  /** The platform's name of the conversation: where an answer goes. */
  conversation: z.string(),
  /** Order within the conversation, as the platform counts. */
  position: z.number(),
  /** `id` in the form that export files of the platform use, so that a contact of the history is known again. */
  peer: z.object({
    id: z.string(),
    name: z.string(),
    /** As it is shown: «@ivan», an address, a number. */
    handle: z.optional(z.string()),
  }),
  /** "" for a message of attachments alone. */
  text: z.string(),
  /** What was sent along, in words: «Фото», «Голосовое сообщение». */
  attachments: z.array(z.string()),
  /** ISO 8601 */
  sentAt: z.string(),
  /** From a program: nothing is answered, or two of them would talk for ever. */
  automated: z.boolean(),
  /** Written by the owner in another client of the same account: the twin steps back in this conversation. */
  fromOwner: z.optional(z.boolean()),
  /** Only where the conversation is known: else it is none of ours, a letter of the owner's to somebody else. */
  joinsOnly: z.optional(z.boolean()),
  /** The account that lends this chat: nothing of it is kept unless the owner has accepted it. */
  lentBy: z.optional(z.string()),
  /** The platform's id of the message, by which the echo of our own send is known again. */
  messageId: z.optional(z.string()),
  /** Said to a bot itself, by somebody who may be its owner: the code that he came with, and which message he answers. */
  toBot: z.optional(z.object({ code: z.optional(z.string()), replyTo: z.optional(z.string()) })),
  /** What an answer must know of it: a mail's subject and references, a thread, a connection. Kept with the conversation. */
  context: z.optional(z.record(z.string(), z.unknown())),
});
export type Inbound = z.infer<typeof Inbound>;

/** Somebody lends chats of his own account to a bot, changes that or takes it back. */
export interface Lending {
  lending: { externalId: string; name: string; canReply: boolean; enabled: boolean };
  /** As the platform counts: of two the greater is newer. */
  order: number;
}

/** Messages of a conversation (by `Inbound.position`) that were changed, or deleted where `text` is null. */
export interface Amendment {
  conversation: string;
  positions: number[];
  text: string | null;
}

/** Somebody presses a button under a message of ours. */
export interface Press {
  press: {
    /** The platform's, to answer it. */
    id: string;
    /** The chat in which the message stands, and whoever has pressed. */
    chat: string;
    by: string;
    messageId: string;
    /** What we have given the button along. */
    data: string;
  };
  eventId: string;
}

/** What a platform tells that is no message. */
export type Notice = Lending | Amendment | Press;

/** A message to the owner himself: what a draft is about, and what he can do with it. */
export interface Card {
  title: string;
  lines: readonly { label: string; text: string }[];
  /** Other people's words, set apart from ours. */
  quotes: readonly { label: string; text: string }[];
  buttons: readonly { label: string; data: string }[];
}

/** How an account speaks with its owner in a private chat of theirs. Nothing here throws: whatever happens is a result. */
export interface OwnerDesk {
  /** The address that opens the account and gives a code along. */
  linkTo(account: string, code: string): string;
  /** @param ending aborted: it is not to go out any more */
  show(chat: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** Puts the card in place of what a message shows; done as well where it shows that already, or is gone. */
  change(chat: string, messageId: string, card: Card, ending?: AbortSignal): Promise<SendResult>;
  /** @param asks opens the field for an answer to this message */
  say(chat: string, text: string, asks?: boolean): Promise<SendResult>;
  /** @param refused the sentence must be read, not only seen */
  answerPress(id: string, text: string, refused: boolean): Promise<void>;
}

export interface ChannelAccount {
  /** For the owner's eyes: «@shop_bot». */
  name: string;
  /** The platform's own. */
  id: string;
}

export interface Outgoing {
  /** The same for each attempt: platforms that know such keys (Discord's nonce, MTProto's random_id, a mail's Message-ID) deliver once. */
  key: string;
  conversation: string;
  /** `context` of the newest message that came in. */
  context: Record<string, unknown>;
  /** When that was. */
  lastInboundAt: Date | null;
  /** Plain text of any length; the channel cuts it and dresses it as its platform wants. */
  text: string;
  /** Parts of this very text that were delivered by an earlier attempt. */
  delivered: number;
}

export type SendFailure =
  /** Nothing of the next part was taken: it may be sent again. */
  | {
      ok: false;
      kind: "retry";
      afterMs: number;
      message: string;
      /** The platform was not reached at all: it counts against it (breaker.ts). */
      away?: boolean;
    }
  /** `unknown`: it may have been delivered, so it is never sent again by itself. The others will not get better by trying again. */
  | { ok: false; kind: "unknown" | "auth" | "blocked" | "window_closed" | "invalid"; message: string };

/** `externalIds`: of the parts that this attempt delivered, also when it then failed. */
export type SendResult = { externalIds: string[] } & ({ ok: true } | SendFailure);

/** Where receiving goes on; each channel's own. */
export type Cursor = Record<string, unknown>;

/** Something that a stranger has sent, before it is read. */
export interface ForeignEvent {
  /** As the platform names it; the same however often it comes. */
  name: string;
  /** Where receiving goes on once this is set aside. */
  behind: Cursor;
  /** As it came, where the platform does not give it a second time: what JSON can hold. */
  raw?: unknown;
  /** What it is and whom it is from as far as that can be told without reading it; «Сообщение» when absent. */
  title?: () => Promise<string>;
}

export interface Receiving {
  /** Whose events these are. */
  organizationId: string;
  cursor: Cursor;
  /** For what a channel's client must remember besides: keys of a session. */
  state: ChannelState;
  /** Stores the event (null: nothing for us) together with the cursor behind it, or throws; only then may the platform be told. */
  emit(inbound: Inbound | null, cursor: Cursor): Promise<void>;
  /** The same for what is no message; for channels that tell such things. */
  tell?(notice: Notice, cursor: Cursor): Promise<void>;
  /**
   * Runs `work`, which reads an event and emits what it holds. Each try is written down before it begins, so one that ends the
   * whole process counts as well. After `TRIES` the event is set aside for the owner, and the cursor moves behind it.
   * @throws what `work` throws where the event is not to blame: the platform or the database is away, receiving ends
   */
  attempt(event: ForeignEvent, work: () => Promise<void>): Promise<void>;
  /** Names of set aside events that the owner wants read once more; for channels that can fetch them again. */
  again(): Promise<string[]>;
  /** The platform has answered: all is well. `limitation`: what cannot be done as it is set up, a sentence for the owner. */
  connected(limitation?: string | null): Promise<void>;
  signal: AbortSignal;
}

/** A delivery as it arrived; nothing in it is believed yet. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Raw bytes: signatures are of these, not of what is parsed from them. */
  body: Buffer;
}

/** What a platform tells later of an answer that we have sent, or that we do not know whether we have. */
export interface Receipt {
  /** `key` of the answer, as we have given it along. */
  key: string;
  /** Which of its parts, from 1. */
  part: number;
  externalId: string;
  /** Why it did not arrive, for the owner; null: the platform has it. */
  failure: string | null;
}

/** How a platform delivers events to an address of ours. */
export interface WebhookProtocol {
  /**
   * Whether it is the platform that calls. Asked before the body is read, where its headers alone prove it (`"headers"`),
   * else with the raw body. Compares in constant time. `secret`: what `announce` was given.
   */
  provenBy: "headers" | "body";
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** What the delivery holds for us. The platform waits for our answer meanwhile. */
  read(body: unknown): Inbound[] | Promise<Inbound[]>;
  notices?(body: unknown): Notice[];
  /** What it tells of our own messages. */
  receipts?(body: unknown): Receipt[];
  /** The answer to a delivery that only asks whether somebody is there (Slack's url_verification); null for any other. */
  answerTo?(body: unknown): Record<string, unknown> | null;
  /** The text that answers the platform's GET (WhatsApp's challenge); null: refused. */
  challenge?(query: Readonly<Record<string, unknown>>, secret: string): string | null;
}

export interface Channel {
  readonly platform: ChannelPlatform;
  /** Longest part of an answer, UTF-16 units. */
  readonly maxChars: number;
  /** How fast it may be sent to; absent: as fast as answers come. */
  readonly pace?: Pace;
  /** What cannot be done where events are not delivered to an address of ours, a sentence for the owner. */
  readonly limitation?: string;
  /** Who the credentials belong to. @throws ChannelTrouble */
  verify(signal?: AbortSignal): Promise<ChannelAccount>;
  /** Receives until the signal aborts. @throws ChannelTrouble */
  receive(receiving: Receiving): Promise<void>;
  /**
   * Asks the platform to deliver events to this address, where there is one; or sees that it may, where the owner enters the
   * address himself. @throws ChannelTrouble
   */
  announce?(webhook: { url: string; secret: string }, signal: AbortSignal): Promise<void>;
  webhook?: WebhookProtocol;
  /** false: the account is connected in another process, or not yet, and only its one connection may send. Absent: any process may. */
  sendsHere?(): boolean;
  /** Reads once more what was set aside with its `raw`; absent: it is fetched again, or cannot be. @throws what reading throws */
  reread?(raw: unknown): Inbound[] | Promise<Inbound[]>;
  /** Never throws: whatever happens is one of the results. */
  /** @param ending aborted: no further part begins, and what has not left does not leave; what may have arrived is `unknown` */
  send(out: Outgoing, ending?: AbortSignal): Promise<SendResult>;
  /** Absent: the owner is not spoken to there. */
  desk?: OwnerDesk;
  /** Shows the contact that an answer to the newest message (its `context`) is being written; failing does not matter. */
  typing?(conversation: string, context: Record<string, unknown>): Promise<void>;
}

/** Why a platform does not serve us. `message` is the Russian sentence that the owner reads; no provider's text gets into it. */
export class ChannelTrouble extends Error {
  /** auth: the credentials are refused, the owner must act; conflict: somebody else receives for this account; away: it will pass. */
  readonly kind: "auth" | "conflict" | "away";
  /** As the platform asked, or null. */
  readonly afterMs: number | null;

  constructor(kind: ChannelTrouble["kind"], message: string, afterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.afterMs = afterMs;
  }
}
