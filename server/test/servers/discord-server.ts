/** A local Discord for tests: it has REST with nonces, and a gateway that identifies, resumes and replays. */
import { type WebSocket, WebSocketServer } from "ws";
import { answer, Fates, startProvider } from "./provider-server.ts";

export interface DiscordServer {
  /** The value for DISCORD_API_URL. */
  root: string;
  /** How the next sends go wrong, by channel. */
  fates: Fates;
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The delivered messages in order, one for each nonce. */
  sent: { channel: string; content: string; allowed: unknown }[];
  /** Channels in which typing was shown. */
  typing: string[];
  /** Tokens that REST refuses with 401 and the gateway with 4004. */
  revoked: Set<string>;
  /** Whether the privileged intent is switched off in the portal. */
  contentDenied: boolean;
  identified: number;
  resumed: number;
  /** A user writes a direct message. A connected gateway gets it at once, otherwise when it resumes; it can also be fetched. */
  say(channel: string, content: string, more?: object): DiscordMessage;
  /** Sends a message to the gateway again. */
  repeat(message: DiscordMessage): void;
  /** Its author rewords a message. */
  edit(message: DiscordMessage, content: string): void;
  remove(message: DiscordMessage): void;
  /** Closes the newest connection. */
  drop(code: number): void;
  /** Forgets the sessions, so that the next client must identify anew and gets no replay. */
  forget(): void;
  close(): Promise<void>;
}

export type DiscordMessage = { id: string; channel_id: string; content: string } & Record<string, unknown>;

interface Payload {
  op: number;
  d: { token?: string; intents?: number; session_id?: string; seq?: number };
}

const CONTENT = 1 << 15;
const BOT = { id: "1", username: "twin_bot", global_name: null, discriminator: "0", avatar: null, bot: true };

/** Tokens that begin with `good.` are accepted. */
export async function startDiscordServer(): Promise<DiscordServer> {
  const fates = new Fates();
  const messages: DiscordMessage[] = [];
  const byNonce = new Map<string, object>();
  let socket: WebSocket | null = null;
  let session = 0;
  let events: { s: number; t: string; d: object }[] = [];
  let counter = 0n;
  const snowflake = () => String((BigInt(Date.now() - 1_420_070_400_000) << 22n) + ++counter);
  const isGood = (token = "") => token.startsWith("good.") && !started.revoked.has(token);

  const provider = await startProvider(({ method, path, query, headers, body }, response) => {
    const place = decodeURIComponent(path).replace(/^\/v10/, "");
    if (!isGood(headers.authorization?.replace("Bot ", ""))) {
      return answer(response, 401, { message: "401: Unauthorized", code: 0 });
    }
    if (place === "/users/@me") return answer(response, 200, BOT);
    if (place === "/gateway/bot") {
      const limit = { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 };
      const url = provider.root.replace("http", "ws");
      return answer(response, 200, { url, shards: 1, session_start_limit: limit });
    }
    const [, channel, what] = /^\/channels\/(\d+)\/(messages|typing)$/.exec(place) ?? [];
    if (channel === undefined) return answer(response, 404, { message: "404: Not Found", code: 0 });
    if (what === "typing") {
      started.typing.push(channel);
      response.writeHead(204).end();
      return;
    }
    if (method === "GET") {
      const after = BigInt(query.get("after") ?? 0);
      const newer = messages.filter(({ id, channel_id }) => channel_id === channel && BigInt(id) > after);
      return answer(response, 200, newer.slice(0, Number(query.get("limit"))).reverse());
    }
    const input = JSON.parse(body);
    if (input.content.length > 2000) return answer(response, 400, { message: "Invalid Form Body", code: 50035 });
    fates.meet(channel, response, () => {
      const known = input.enforce_nonce ? byNonce.get(input.nonce) : undefined;
      if (known !== undefined) return known;
      if (((input.flags ?? 0) & 4) === 0) started.previews.push(input.content);
      started.sent.push({ channel, content: input.content, allowed: input.allowed_mentions });
      const message = { id: snowflake(), channel_id: channel, content: input.content, author: BOT };
      byNonce.set(input.nonce, message);
      return message;
    });
  });

  new WebSocketServer({ server: provider.server }).on("connection", (opened) => {
    socket = opened;
    const send = (message: object) => opened.send(JSON.stringify(message));
    send({ op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null });
    opened.on("close", () => {
      if (socket === opened) socket = null;
    });
    opened.on("message", (data) => {
      const { op, d }: Payload = JSON.parse(String(data));
      if (op === 1) return send({ op: 11 });
      if (op === 2) {
        if (!isGood(d.token)) return opened.close(4004);
        if (started.contentDenied && ((d.intents ?? 0) & CONTENT) !== 0) return opened.close(4014);
        started.identified++;
        session++;
        events = [];
        const ready = {
          v: 10,
          user: BOT,
          guilds: [],
          session_id: `s${session}`,
          shard: [0, 1],
          application: { id: "1" },
        };
        tell("READY", { ...ready, resume_gateway_url: provider.root.replace("http", "ws") });
      }
      if (op === 6) {
        if (d.session_id !== `s${session}`) return send({ op: 9, d: false });
        started.resumed++;
        for (const event of events.filter(({ s }) => s > (d.seq ?? 0))) send({ op: 0, ...event });
        send({ op: 0, t: "RESUMED", s: events.length, d: {} });
      }
    });
  });

  function tell(t: string, d: object): void {
    const event = { s: events.length + 1, t, d };
    events.push(event);
    socket?.send(JSON.stringify({ op: 0, ...event }));
  }

  const started: DiscordServer = {
    root: provider.root,
    fates,
    sent: [],
    previews: [],
    typing: [],
    revoked: new Set(),
    contentDenied: false,
    identified: 0,
    resumed: 0,
    say(channel, content, more = {}) {
      const author = { id: `9${channel}`, username: "ivan", global_name: "Иван", discriminator: "0", avatar: null };
      const empty = {
        tts: false,
        mention_everyone: false,
        mentions: [],
        mention_roles: [],
        attachments: [],
        embeds: [],
      };
      const message = {
        id: snowflake(),
        channel_id: channel,
        author,
        content,
        timestamp: new Date().toISOString(),
        edited_timestamp: null,
        pinned: false,
        type: 0,
        ...empty,
        ...more,
      };
      messages.push(message);
      tell("MESSAGE_CREATE", message);
      return message;
    },
    repeat: (message) => tell("MESSAGE_CREATE", message),
    edit: (message, content) =>
      tell("MESSAGE_UPDATE", { ...message, content, edited_timestamp: new Date().toISOString() }),
    remove: ({ id, channel_id }) => tell("MESSAGE_DELETE", { id, channel_id }),
    drop: (code) => socket?.close(code),
    forget() {
      session++;
      events = [];
    },
    close: provider.close,
  };
  return started;
}
