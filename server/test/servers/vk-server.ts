/** A local VK for tests: the API's methods with their rules, Bots Long Poll with a queue that can be lost, and Callback servers that are confirmed. */
import type { ServerResponse } from "node:http";
import { answer, Fates, type ProviderRequest, startProvider } from "./provider-server.ts";

export interface VkSent {
  peer: number;
  text: string;
  randomId: number;
}

export interface VkServer {
  /** The value for VK_API_URL. */
  root: string;
  /** How the next sends go wrong, by peer. */
  fates: Fates;
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The delivered messages in order, one for each random_id in a conversation. */
  sent: VkSent[];
  /** Number of calls that send a message, successful or not. */
  sends: number;
  /** Peers to whom typing was shown. */
  typing: number[];
  /** Keys that are refused with 5. */
  revoked: Set<string>;
  /** People who have forbidden the community to write. */
  denied: Set<number>;
  /** What broke VK's rules: a wrong parameter, an unknown method, a place in the queue that was never given out. */
  faults: string[];
  /** How often a Long Poll was asked for, by community. */
  opened: Map<number, number>;
  /** Calls of users.get. */
  lookups: number;
  /** Where Callback servers are reached; absent: they cannot be. */
  reach: ((url: string, body: object) => Promise<{ status: number; text: string }>) | null;
  callbacks: CallbackServer[];
  /** Files by their names, at the addresses that `photo`, `voice` and `document` give. */
  kept: Map<string, Buffer>;
  /** Names of the files that were fetched. */
  fetched: string[];
  /** A user writes to the community; the event is queued and returned. */
  say(group: number, user: number, text: string, more?: object): VkEvent;
  /** A manager of the community answers by hand. */
  answerByHand(group: number, user: number, text: string): VkEvent;
  allow(group: number, user: number): VkEvent;
  deny(group: number, user: number): VkEvent;
  /** Queues an event again, as VK does where it was not acknowledged. */
  repeat(event: VkEvent): void;
  /** The keys of all sessions run out. */
  expireKeys(): void;
  /** The queue forgets what it holds; `session`: the sessions are forgotten with it. */
  forget(group: number, what: "events" | "session"): void;
  close(): Promise<void>;
}

type VkEvent = { type: string; group_id: number; event_id: string; v: string; object: Record<string, unknown> };

interface CallbackServer {
  id: number;
  group: number;
  url: string;
  secret: string;
  status: "ok" | "wait" | "failed";
  events: Record<string, string>;
}

interface Queue {
  /** Number of the first event that is kept. */
  from: number;
  events: VkEvent[];
  key: string;
  waiting: (() => void)[];
}

/** `vk1.a.key-of-community-101` is the key of the community 101; «nomanage» in it: it lacks a right; «person»: it is no community's. */
const KEY = /^vk1\.a\.[\w-]*?(\d+)$/;
export const vkKey = (group: number, kind = "key") => `vk1.a.${kind}-of-community-${group}`;
/** What the community's Callback settings show as the string to answer with. */
export const confirmationOf = (group: number) => `c0de${group}`;

const refusal = (code: number) => ({ error: { error_code: code, error_msg: "refused", request_params: [] } });

export async function startVkServer(): Promise<VkServer> {
  const fates = new Fates();
  const queues = new Map<number, Queue>();
  const history = new Map<string, Record<string, unknown>[]>();
  const taken = new Map<string, number>();
  let [messages, events, keys, servers] = [1000, 0, 0, 0];

  const queueOf = (group: number): Queue => {
    const queue = queues.get(group) ?? { from: 1, events: [], key: `key${++keys}`, waiting: [] };
    queues.set(group, queue);
    return queue;
  };
  const ring = (queue: Queue) => {
    for (const wake of queue.waiting.splice(0)) wake();
  };
  function push(event: VkEvent): VkEvent {
    const queue = queueOf(event.group_id);
    queue.events.push(event);
    ring(queue);
    return event;
  }
  const eventOf = (group: number, type: string, object: Record<string, unknown>): VkEvent =>
    push({ type, group_id: group, event_id: `e${++events}`, v: "5.199", object });
  function write(group: number, peer: number, from: number, text: string, more: object = {}): Record<string, unknown> {
    const place = `${group} ${peer}`;
    const past = history.get(place) ?? [];
    const message = {
      id: ++messages,
      date: Math.floor(Date.now() / 1000),
      peer_id: peer,
      from_id: from,
      text,
      conversation_message_id: past.length + 1,
      attachments: [],
      fwd_messages: [],
      out: from < 0 ? 1 : 0,
      version: messages,
      ...more,
    };
    history.set(place, [...past, message]);
    return message;
  }

  async function confirm(server: CallbackServer): Promise<void> {
    const { group, url } = server;
    const reached = await vk.reach?.(url, { type: "confirmation", group_id: group }).catch(() => null);
    server.status = reached?.status === 200 && reached.text === confirmationOf(group) ? "ok" : "failed";
  }

  function send(group: number, input: URLSearchParams, response: ServerResponse): void {
    vk.sends++;
    const [peer, randomId, text] = [Number(input.get("peer_id")), Number(input.get("random_id")), input.get("message")];
    if (!Number.isInteger(peer) || !text || !Number.isInteger(randomId) || randomId <= 0 || randomId > 0x7fffffff) {
      vk.faults.push(`messages.send ${input}`);
      answer(response, 200, refusal(100));
    } else if (text.length > 4096) answer(response, 200, refusal(914));
    else if (vk.denied.has(peer)) answer(response, 200, refusal(901));
    else deliver(group, { peer, randomId, text }, input.get("dont_parse_links") !== "1", response);
  }

  function deliver(group: number, sent: VkSent, isPreviewed: boolean, response: ServerResponse): void {
    const { peer, randomId, text } = sent;
    fates.meet(String(peer), response, () => {
      const known = taken.get(`${group} ${peer} ${randomId}`);
      if (known !== undefined) return { response: known };
      if (isPreviewed) vk.previews.push(text);
      vk.sent.push(sent);
      const message = write(group, peer, -group, text, { random_id: randomId });
      taken.set(`${group} ${peer} ${randomId}`, message.id as number);
      // VK tells a community of its own messages too.
      eventOf(group, "message_reply", message);
      return { response: message.id };
    });
  }

  const methods: Record<string, (group: number, input: URLSearchParams) => unknown> = {
    "groups.getById": (group) => ({ groups: [{ id: group, name: `Чайная лавка ${group}` }], profiles: [] }),
    "users.get"(_group, input) {
      vk.lookups++;
      const ids = (input.get("user_ids") ?? "").split(",").map(Number);
      return ids.map((id) => ({ id, first_name: "Иван", last_name: `Петров ${id}` }));
    },
    "messages.setActivity"(_group, input) {
      if (input.get("type") === "typing") vk.typing.push(Number(input.get("peer_id")));
      return 1;
    },
    "messages.getConversations": (group) => ({
      items: [...history]
        .filter(([place]) => place.startsWith(`${group} `))
        .map(([place, past]) => ({
          conversation: { peer: { id: Number(place.split(" ")[1]) } },
          last_message: past.at(-1),
        })),
    }),
    "messages.getHistory": (group, input) => ({
      items: (history.get(`${group} ${input.get("peer_id")}`) ?? []).toReversed(),
    }),
    "groups.setLongPollSettings": () => 1,
    "groups.getLongPollServer"(group) {
      vk.opened.set(group, (vk.opened.get(group) ?? 0) + 1);
      const { key, from, events } = queueOf(group);
      return { key, server: `${provider.root}/longpoll/${group}`, ts: String(from + events.length - 1) };
    },
    "groups.getCallbackServers": (group) => ({
      items: vk.callbacks
        .filter((server) => server.group === group)
        .map(({ id, url, secret, status }) => ({ id, url, status, secret_key: secret, title: "Twins" })),
    }),
    "groups.getCallbackConfirmationCode": (group) => ({ code: confirmationOf(group) }),
    "groups.addCallbackServer"(group, input) {
      const [url, secret, title] = ["url", "secret_key", "title"].map((name) => input.get(name) ?? "");
      if (!url!.startsWith("https://") || secret!.length > 50 || title!.length > 14) vk.faults.push(`server ${input}`);
      const server = { id: ++servers, group, url: url!, secret: secret!, status: "wait" as const, events: {} };
      vk.callbacks.push(server);
      void confirm(server);
      return { server_id: server.id };
    },
    "groups.setCallbackSettings"(_group, input) {
      const server = vk.callbacks.find(({ id }) => id === Number(input.get("server_id")));
      if (server !== undefined) server.events = Object.fromEntries(input);
      return 1;
    },
    "groups.deleteCallbackServer"(_group, input) {
      vk.callbacks = vk.callbacks.filter(({ id }) => id !== Number(input.get("server_id")));
      return 1;
    },
  };

  async function poll(group: number, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const queue = queueOf(group);
    if (query.get("act") !== "a_check" || query.get("wait") === null) vk.faults.push(`longpoll ${query}`);
    if (query.get("key") !== queue.key) return answer(response, 200, { failed: 2 });
    const ts = Number(query.get("ts"));
    const last = () => queue.from + queue.events.length - 1;
    if (!Number.isInteger(ts) || ts > last()) {
      vk.faults.push(`ts ${query.get("ts")} of ${last()}`);
      return answer(response, 200, { failed: 3 });
    }
    if (ts < queue.from - 1) return answer(response, 200, { failed: 1, ts: String(last()) });
    if (ts === last()) {
      const timer = setTimeout(() => ring(queue), Number(query.get("wait")) * 1000);
      timer.unref();
      await new Promise<void>((resolve) => {
        queue.waiting.push(resolve);
        response.on("close", resolve);
      });
      clearTimeout(timer);
      if (response.destroyed) return;
      if (query.get("key") !== queue.key) return answer(response, 200, { failed: 2 });
      if (ts < queue.from - 1) return answer(response, 200, { failed: 1, ts: String(last()) });
    }
    answer(response, 200, { ts: String(last()), updates: queue.events.slice(ts - queue.from + 1) });
  }

  /** Hosts of users' files are public, so a key sent there is leaked. */
  function give({ method, path, headers, body }: ProviderRequest, response: ServerResponse): void {
    const [, place, name] = /^\/(doc|file)\/([\w.-]+)$/.exec(path) ?? [];
    const bytes = vk.kept.get(name ?? "");
    if (method !== "GET" || headers.authorization !== undefined || headers.cookie !== undefined || body !== "") {
      vk.faults.push(`${method} ${path} with more than its address`);
    }
    if (bytes === undefined) answer(response, 404, {});
    // A document's address leads on to where it lies.
    else if (place === "doc") response.writeHead(302, { location: `/file/${name}?hash=1` }).end();
    else {
      vk.fetched.push(name!);
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
    }
  }

  const provider = await startProvider((request, response) => {
    const { method, path, query, body } = request;
    if (/^\/(?:doc|file)\//.test(path)) return give(request, response);
    const polled = /^\/longpoll\/(\d+)$/.exec(path)?.[1];
    if (polled !== undefined) return poll(Number(polled), query, response);
    const name = path.replace(/^\/method\//, "");
    const input = new URLSearchParams(body);
    const token = input.get("access_token") ?? "";
    const group = Number(KEY.exec(token)?.[1] ?? 0);
    if (method !== "POST" || input.get("v") !== "5.199" || query.size > 0) {
      vk.faults.push(`${method} ${path}`);
      return answer(response, 200, refusal(8));
    }
    if (group === 0 || vk.revoked.has(token)) return answer(response, 200, refusal(5));
    if (token.includes("person") && name.startsWith("groups.")) return answer(response, 200, refusal(100));
    if (name === "groups.getTokenPermissions") {
      const rights = token.includes("nomanage") ? ["messages"] : ["messages", "manage"];
      return answer(response, 200, { response: { mask: 0, permissions: rights.map((right) => ({ name: right })) } });
    }
    if (input.has("group_id") && Number(input.get("group_id")) !== group) {
      vk.faults.push(`${name} for ${input.get("group_id")}`);
      return answer(response, 200, refusal(15));
    }
    if (name === "messages.send") return send(group, input, response);
    const handle = methods[name];
    if (handle === undefined) {
      vk.faults.push(`no method ${name}`);
      return answer(response, 200, refusal(3));
    }
    answer(response, 200, { response: handle(group, input) });
  });

  const vk: VkServer = {
    root: `${provider.root}/method`,
    fates,
    previews: [],
    sent: [],
    sends: 0,
    typing: [],
    revoked: new Set(),
    denied: new Set(),
    faults: [],
    opened: new Map(),
    lookups: 0,
    reach: null,
    callbacks: [],
    kept: new Map(),
    fetched: [],
    say: (group, user, text, more) =>
      eventOf(group, "message_new", { message: write(group, user, user, text, more), client_info: {} }),
    answerByHand: (group, user, text) =>
      eventOf(group, "message_reply", write(group, user, -group, text, { admin_author_id: 77 })),
    allow(group, user) {
      vk.denied.delete(user);
      return eventOf(group, "message_allow", { user_id: user, key: "" });
    },
    deny(group, user) {
      vk.denied.add(user);
      return eventOf(group, "message_deny", { user_id: user });
    },
    repeat: push,
    expireKeys() {
      for (const queue of queues.values()) {
        queue.key = `key${++keys}`;
        ring(queue);
      }
    },
    forget(group, what) {
      const queue = queueOf(group);
      queue.from += queue.events.length + 5;
      queue.events = [];
      if (what === "session") queue.key = `key${++keys}`;
      ring(queue);
    },
    close: provider.close,
  };
  return vk;
}

/** Attachments as VK describes them, of files that the server keeps: https://dev.vk.com/ru/reference/objects/message */
export function vkAttachments({ root }: VkServer) {
  const at = (place: "doc" | "file", name: string) => new URL(`/${place}/${name}`, root).href;
  const owned = { id: 456239017, owner_id: 21, access_key: "a1b2c3" };
  return {
    voice: (name: string, more: object = {}) => ({
      type: "audio_message",
      audio_message: {
        ...{ ...owned, duration: 2, waveform: [0, 3, 1], link_ogg: at("file", name), link_mp3: at("file", "no.mp3") },
        ...more,
      },
    }),
    photo: (name: string) => ({
      type: "photo",
      photo: {
        ...{ ...owned, album_id: -3, date: 1_795_000_000, text: "", has_tags: false },
        sizes: [
          { type: "x", width: 604, height: 403, url: at("file", name) },
          { type: "s", width: 75, height: 50, url: at("file", "small.jpg") },
        ],
      },
    }),
    document: (name: string, type: number, size = 5) => ({
      type: "doc",
      doc: {
        ...owned,
        title: name,
        ext: name.split(".").at(-1),
        size,
        type,
        date: 1_795_000_000,
        url: at("doc", name),
      },
    }),
  };
}
