/** Socket Mode: Slack's events come over a connection that we open, for servers that cannot be reached from outside. */
import { SocketModeClient } from "@slack/socket-mode";
import { ChannelTrouble, type Receiving, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { quietLog, rethrowTrouble } from "./errors.ts";

/** A connection that ends sooner was not renewed by routine. */
const SHORTEST_MS = 1_000;
const OPEN_MS = 10_000;

interface SocketOptions {
  appToken: string;
  apiUrl: string;
  read(body: unknown): Promise<Reported[]>;
  proxy: Proxied | null;
}

/** Receives until the signal aborts. Slack renews connections every few hours, and the next one continues. @throws ChannelTrouble */
export async function receiveBySocket(options: SocketOptions, receiving: Receiving): Promise<void> {
  while (!receiving.signal.aborted) {
    const since = Date.now();
    await oneConnection(options, receiving);
    if (!receiving.signal.aborted && Date.now() - since < SHORTEST_MS) {
      throw new ChannelTrouble("away", "Slack прерывает связь");
    }
  }
}

async function oneConnection({ appToken, apiUrl, read, proxy }: SocketOptions, receiving: Receiving): Promise<void> {
  const { emit, attempt, connected, signal } = receiving;
  const socket = new SocketModeClient({
    appToken,
    logger: quietLog,
    // The client's own reconnecting would end the process when Slack is unreachable.
    autoReconnectEnabled: false,
    ...(proxy === null ? {} : { dispatcher: await proxy.dispatcher() }),
    clientOptions: {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: OPEN_MS,
      ...(proxy && { fetch: proxy.fetch }),
    },
  });
  let handled: Promise<void> = Promise.resolve();
  let fault: unknown = null;
  const ended = new Promise<void>((resolve) => socket.once("disconnected", () => resolve()));
  const leave = () => void socket.disconnect();
  socket.on("slack_event", ({ ack, type, body }: SlackEvent) => {
    // Events are handled one after another, so that none overtakes; Slack repeats events that were not acknowledged.
    handled = handled.then(async () => {
      if (fault !== null) return;
      try {
        const take = async () => {
          for (const reported of await read(body)) await emit(reported, {});
        };
        if (type === "events_api") await attempt({ name: eventIdOf(body), behind: {}, raw: body }, take);
      } catch (error) {
        fault = error;
        leave();
        return;
      }
      await ack().catch(() => {});
    });
  });
  signal.addEventListener("abort", leave);
  try {
    await socket.start().catch((error: unknown) => (signal.aborted ? undefined : rethrowTrouble(error)));
    if (signal.aborted) leave();
    else await connected();
    await ended;
    await handled;
    if (fault !== null) throw fault;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function eventIdOf(body: unknown): string {
  const { event_id: id } = (body ?? {}) as { event_id?: unknown };
  return typeof id === "string" ? id.slice(0, 100) : "без номера";
}

interface SlackEvent {
  ack(): Promise<void>;
  type: string;
  body: unknown;
}
