/**
 * VK's Callback API: the community's settings name our address, and VK delivers to it. https://dev.vk.com/ru/api/callback/getting-started
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { type Channel, ChannelTrouble, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import { isSame } from "#server/inbox/channel-protocol/signature.ts";
import { API_VERSION, type VkCall } from "./api.ts";
import { rethrowTrouble } from "./errors.ts";

const CALL_MS = 5_000;
/** VK requests the confirmation from our address while or soon after it is added. */
const CONFIRMED_MS = 3_000;
const LOOK_MS = 200;
/** Title of our callback server in the community's settings. VK allows at most fourteen characters. */
const SERVER_TITLE = "Twins";

export const RECEIVED_EVENTS = {
  message_new: 1,
  message_reply: 1,
  message_edit: 1,
  message_allow: 1,
  message_deny: 1,
} as const;

const Servers = z.object({
  items: z.array(
    z.object({ id: z.number(), url: z.string(), status: z.string(), secret_key: z._default(z.string(), "") }),
  ),
});
const Added = z.object({ server_id: z.number() });
const Code = z.object({ code: z.string() });
const Proof = z.object({ type: z.string(), group_id: z.number(), secret: z.optional(z.string()) });

interface CallbackOptions {
  call: VkCall;
  /** null: the key was not checked yet. */
  groupId: number | null;
  groupOf(signal?: AbortSignal): Promise<number>;
  read(body: unknown): Promise<Reported[]>;
}

export function callback({
  call,
  groupId,
  groupOf,
  read,
}: CallbackOptions): Required<Pick<Channel, "announce" | "webhook" | "leave">> {
  let announced: { group_id: number; server_id: number } | null = null;

  async function announce({ url, secret }: { url: string; secret: string }, signal: AbortSignal): Promise<void> {
    const limits = { ms: CALL_MS, signal };
    const group_id = await groupOf(signal);
    const listed = async () => Servers.parse(await call("groups.getCallbackServers", { group_id }, limits)).items;
    let server = (await listed()).find((each) => each.url === url);
    if (server !== undefined && (server.status === "failed" || server.secret_key !== secret)) {
      await call("groups.deleteCallbackServer", { group_id, server_id: server.id }, limits);
      server = undefined;
    }
    const adding = { group_id, url, title: SERVER_TITLE, secret_key: secret };
    const server_id = server?.id ?? Added.parse(await call("groups.addCallbackServer", adding, limits)).server_id;
    announced = { group_id, server_id };
    await call("groups.setCallbackSettings", { ...announced, api_version: API_VERSION, ...RECEIVED_EVENTS }, limits);
    for (const until = Date.now() + CONFIRMED_MS; server?.status !== "ok"; ) {
      if (server?.status === "failed" || Date.now() > until) throw new ChannelTrouble("away", NOT_CONFIRMED);
      server = (await listed()).find(({ id }) => id === server_id);
      if (server?.status !== "ok") await sleep(LOOK_MS, undefined, { signal });
    }
  }

  return {
    announce: (webhook, signal) => announce(webhook, signal).catch(rethrowTrouble),
    async leave() {
      if (announced !== null) await call("groups.deleteCallbackServer", announced, { ms: CALL_MS }).catch(() => {});
    },
    webhook: {
      provenBy: "body",
      isAuthentic({ body }, secret) {
        const proof = Proof.safeParse(parsed(body)).data;
        if (proof === undefined || (groupId !== null && proof.group_id !== groupId)) return false;
        // VK requests the confirmation before it knows the secret; the response reveals nothing.
        return proof.type === "confirmation" || isSame(proof.secret, secret);
      },
      async answerTo(body) {
        if ((body as { type?: unknown } | null)?.type !== "confirmation") return null;
        try {
          const group_id = await groupOf();
          return Code.parse(await call("groups.getCallbackConfirmationCode", { group_id }, { ms: CALL_MS })).code;
        } catch {
          // VK asks again when the address is announced again.
          return null;
        }
      },
      accepted: "ok",
      read,
    },
  };
}

const NOT_CONFIRMED = "ВКонтакте пока не подтвердил адрес этого сервера: попробуем ещё раз";

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
