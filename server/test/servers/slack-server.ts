/** A local Slack for tests: it has the Web API, Socket Mode, and events that are signed like Slack's. */
import { createHmac } from "node:crypto";
import { type WebSocket, WebSocketServer } from "ws";
import { answer, Fates, startProvider } from "./provider-server.ts";

export interface SlackServer {
  /** The value for SLACK_API_URL. */
  root: string;
  /** How the next sends go wrong, by channel. */
  fates: Fates;
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The delivered messages in order. */
  sent: { channel: string; text: string; threadTs: string | undefined }[];
  /** Tokens that are refused with token_revoked. */
  revoked: Set<string>;
  /** Envelopes that were acknowledged over sockets. */
  acknowledged: Set<string>;
  /** Number of sockets that were opened, including those that are closed again. */
  opened: number;
  /** Delivers an envelope over the newest socket; without an acknowledgement it comes again over the next one. */
  push(envelopeId: string, event: object): void;
  /** Asks the client to connect anew, as Slack does every few hours. */
  renew(): void;
  close(): Promise<void>;
}

/** Tokens `xoxb-…` and `xapp-…` are accepted; the bot is @twin of the workspace T1. */
export async function startSlackServer(): Promise<SlackServer> {
  const fates = new Fates();
  const sockets: WebSocket[] = [];
  const open = new Map<string, object>();
  const send = (message: object) => sockets.at(-1)!.send(JSON.stringify(message));
  let ts = 0;
  const provider = await startProvider(({ path, headers, body }, response) => {
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const method = path.slice(1);
    const input = new URLSearchParams(body);
    const refuse = (error: string) => answer(response, 200, { ok: false, error });
    if (started.revoked.has(token)) return refuse("token_revoked");
    if (!token.startsWith(method === "apps.connections.open" ? "xapp-" : "xoxb-")) return refuse("invalid_auth");
    switch (method) {
      case "auth.test":
        return answer(response, 200, { ok: true, team: "Команда", team_id: "T1", user: "twin", user_id: "UBOT" });
      case "users.info":
        return answer(response, 200, { ok: true, user: { name: "ivan", profile: { real_name: "Иван Петров" } } });
      case "apps.connections.open":
        return answer(response, 200, { ok: true, url: `${provider.root.replace("http", "ws")}/link` });
      case "chat.postMessage":
        fates.meet(input.get("channel")!, response, () => {
          const text = input.get("text") ?? "";
          if (input.get("unfurl_links") !== "false" || input.get("unfurl_media") !== "false")
            started.previews.push(text);
          started.sent.push({ channel: input.get("channel")!, text, threadTs: input.get("thread_ts") ?? undefined });
          return { ok: true, ts: `1795000000.${String(++ts).padStart(6, "0")}` };
        });
        return;
      default:
        return refuse("unknown_method");
    }
  });
  new WebSocketServer({ server: provider.server }).on("connection", (socket) => {
    started.opened++;
    sockets.push(socket);
    socket.on("message", (data) => {
      const id = JSON.parse(String(data)).envelope_id;
      open.delete(id);
      started.acknowledged.add(id);
    });
    send({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } });
    for (const envelope of open.values()) send(envelope);
  });
  const started: SlackServer = {
    root: provider.root,
    fates,
    sent: [],
    previews: [],
    revoked: new Set(),
    acknowledged: new Set(),
    opened: 0,
    push(envelopeId, event) {
      const envelope = { envelope_id: envelopeId, type: "events_api", accepts_response_payload: false, payload: event };
      open.set(envelopeId, envelope);
      if (sockets.length > 0) send(envelope);
    },
    renew: () => send({ type: "disconnect", reason: "refresh_requested" }),
    close: provider.close,
  };
  return started;
}

let counted = 0;

/** The event of a direct message. */
export const slackMessage = (channel: string, text: string, more: object = {}, eventId = `Ev${++counted}`) => ({
  type: "event_callback",
  team_id: "T1",
  api_app_id: "A1",
  event_id: eventId,
  event: {
    type: "message",
    channel,
    channel_type: "im",
    user: `U${channel}`,
    text,
    ts: `${Math.floor(Date.now() / 1000)}.${String(++counted).padStart(6, "0")}`,
    ...more,
  },
});

export function slackSignature(body: string, secret: string, ageSeconds = 0): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": at, "x-slack-signature": `v0=${signature}` };
}
