/** Streams events to members who watch the inbox. Only members of the organisation receive its changes, as ids and kinds without texts. */
import { Readable } from "node:stream";
import { InboxChange, PING_MS } from "#contract/conversations/live.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { type ListenSubscription, listenTo } from "#server/platform/db/notifications.ts";
import { tooMany } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";

/** A reader is disconnected when this many bytes wait for him, or for this many milliseconds. */
interface LiveLimits {
  stalledBytes: number;
  stalledMs: number;
  pingMs: number;
}

const LIMITS: LiveLimits = { stalledBytes: 256 * 1024, stalledMs: 30_000, pingMs: PING_MS };
/** Maximum number of open streams (tabs) of one member. */
const STREAMS_EACH = 40;

export interface Live {
  /** Opens an event stream for the member until it is destroyed. @throws Problem 429 */
  open(caller: Pick<Caller, "organizationId" | "userId">): LiveStream;
  readonly streams: number;
  close(): Promise<void>;
}

export async function openLive(database: OpenDatabase, log: Log, options: Partial<LiveLimits> = {}): Promise<Live> {
  const limits = { ...LIMITS, ...options };
  const organizations = new Map<string, Set<LiveStream>>();
  const all = () => [...organizations.values()].flatMap((streams) => [...streams]);
  const listening: ListenSubscription = await listenTo(
    database,
    "inbox",
    {
      heard(payload) {
        const [organization = "", member, kind, conversationId] = payload.split(",");
        const streams = organizations.get(organization);
        // Most changes have no watching client, so they are not even parsed.
        if (streams === undefined) return;
        const change = InboxChange.safeParse({ kind, conversationId });
        if (!change.success) return;
        for (const stream of streams) {
          // Changes of a test chat go to its member alone.
          if (member === "" || member === stream.userId) stream.say("change", change.data);
        }
      },
      opened(again) {
        if (again) for (const stream of all()) stream.say("everything", {});
      },
    },
    log,
  );
  const pulse = setInterval(() => {
    for (const stream of all()) stream.pulse();
  }, Math.min(limits.pingMs, limits.stalledMs) / 2).unref();
  return {
    open({ organizationId, userId }) {
      const streams = organizations.get(organizationId) ?? new Set<LiveStream>();
      if ([...streams].filter((one) => one.userId === userId).length >= STREAMS_EACH) {
        throw tooMany("too_many_streams", "Слишком много открытых вкладок. Закройте лишние.", { retryAfter: 60 });
      }
      const stream = new LiveStream(userId, limits);
      organizations.set(organizationId, streams.add(stream));
      stream.once("close", () => {
        streams.delete(stream);
        if (streams.size === 0 && organizations.get(organizationId) === streams) organizations.delete(organizationId);
      });
      stream.say("ready", {});
      return stream;
    },
    get streams() {
      return all().length;
    },
    async close() {
      clearInterval(pulse);
      for (const stream of all()) stream.end();
      await listening.stop();
    },
  };
}

/**
 * Server-sent events for one reader (HTML standard, 9.2). Writers never wait: unread events are buffered up to the limits, then the reader
 * is disconnected.
 */
export class LiveStream extends Readable {
  readonly userId: string;
  readonly #limits: LiveLimits;
  /** When the reader last took data, or had nothing to take. */
  #tookAt = Date.now();
  #saidAt = Date.now();
  #said = 0;
  #taken = 0;
  /** Bytes that the connection has accepted and not sent yet. */
  heldBack: () => number = () => 0;

  constructor(userId: string, limits: LiveLimits) {
    super({ highWaterMark: 1024 });
    this.userId = userId;
    this.#limits = limits;
  }

  override _read(): void {
    // Data is pushed immediately in `say`, so there is nothing to read on demand.
  }

  say(event: string, data: unknown): void {
    if (this.destroyed || this.readableEnded) return;
    this.#saidAt = Date.now();
    const bytes = Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    this.#said += bytes.length;
    this.push(bytes);
    this.#judge();
  }

  end(event?: { name: string; data: unknown }): void {
    if (event !== undefined) this.say(event.name, event.data);
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }

  /** Called regularly: pings an idle reader and disconnects one who does not read. */
  pulse(): void {
    if (Date.now() - this.#saidAt >= this.#limits.pingMs) this.say("ping", {});
    else this.#judge();
  }

  #judge(): void {
    const waiting = this.readableLength + this.heldBack();
    if (waiting === 0 || this.#said - waiting > this.#taken) this.#tookAt = Date.now();
    this.#taken = this.#said - waiting;
    const stalled = Date.now() - this.#tookAt >= this.#limits.stalledMs;
    if (waiting > this.#limits.stalledBytes || stalled) this.destroy();
  }
}
