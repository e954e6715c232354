/** A VK community: sends by the API; receives by Callback if the server is reachable, else by Bots Long Poll. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Params } from "vk-io";
import * as z from "zod/mini";
import {
  type Channel,
  type ChannelAccount,
  ChannelTrouble,
  type Inbound,
  isInbound,
  type Outgoing,
  type Reported,
  type SendFailure,
  type SendResult,
} from "#server/inbox/channel-protocol/channel.ts";
import { fetchOriginal } from "#server/inbox/channel-protocol/fetch-media.ts";
import { plainText } from "#server/inbox/channel-protocol/markup.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import { type VkAccess, type VkCall, VkRefusal, vkCall } from "./api.ts";
import { MEDIA_HOSTS, MEDIA_REDIRECTS } from "./attachments.ts";
import { callback } from "./callback.ts";
import { DENIED, NO_RIGHTS, NOT_A_COMMUNITY, rethrowTrouble, sendFailure } from "./errors.ts";
import { reportedOf } from "./event.ts";
import { nameFinder } from "./names.ts";

const MAX_CHARS = 4096;
const VERIFY_MS = 5_000;
const SEND_MS = 10_000;
const PER_SECOND = 20;
/** A send with an unknown result is repeated at once under its `random_id`, and still arrives once. */
const ATTEMPTS = 3;
const AGAIN_MS = 500;

interface VkOptions extends VkAccess {
  /** The community that `verify` has found; null: it was not called yet. */
  groupId: number | null;
  sendMs?: number;
}

export function vk({ token, apiUrl, proxy = null, groupId, sendMs = SEND_MS }: VkOptions): Channel {
  const call = vkCall({ token, apiUrl, proxy });
  const nameOf = nameFinder(call);
  const verify = (signal?: AbortSignal) => findCommunity(call, signal).catch(rethrowTrouble);
  const groupOf = async (signal?: AbortSignal) => groupId ?? Number((await verify(signal)).id);
  const withName = async (inbound: Inbound): Promise<Inbound> => {
    const name = await nameOf(Number(inbound.conversation));
    return { ...inbound, peer: { ...inbound.peer, name } };
  };
  const named = async (reported: Reported): Promise<Reported> => {
    if (isInbound(reported)) return withName(reported);
    if (!("messages" in reported) || reported.instead === undefined) return reported;
    return { ...reported, instead: await withName(reported.instead) };
  };
  const read = async (body: unknown): Promise<Reported[]> => {
    const reported = reportedOf(body, groupId);
    return reported === null ? [] : [await named(reported)];
  };
  return {
    platform: "vk",
    maxChars: MAX_CHARS,
    rateLimit: { perConversationMs: 0, perSecond: PER_SECOND },
    verify,
    async receive(receiving) {
      const { receiveByLongPoll } = await import("./long-poll.ts");
      await receiveByLongPoll({ call, groupId: await groupOf(receiving.signal), read, named, proxy }, receiving);
    },
    fetchMedia: ({ url }, limits) =>
      fetchOriginal({ url: String(url), hosts: MEDIA_HOSTS, redirects: MEDIA_REDIRECTS, apiUrl, proxy }, limits),
    reread: read,
    ...callback({ call, groupId, groupOf, read }),
    send: (out, ending) => sendParts(call, out, sendMs, ending),
    async typing(conversation) {
      const params = { peer_id: Number(conversation), type: "typing" } satisfies Params.MessagesSetActivityParams;
      await call("messages.setActivity", params, { ms: VERIFY_MS }).catch(() => {});
    },
  };
}

const Communities = z.object({ groups: z.array(z.object({ id: z.number(), name: z.string() })).check(z.minLength(1)) });
const Rights = z.object({ permissions: z.array(z.object({ name: z.string() })) });

/** Returns the key's community, and checks the key's permissions: to write, and to register our address. */
async function findCommunity(call: VkCall, signal?: AbortSignal): Promise<ChannelAccount> {
  const limits = { ms: VERIFY_MS, signal };
  const found = await call("groups.getById", {}, limits).catch((error: unknown) => {
    // VK answers with error 100 to a user's key, which belongs to no community.
    if (error instanceof VkRefusal && error.code === 100) return null;
    throw error;
  });
  const community = Communities.safeParse(found).data?.groups[0];
  if (community === undefined) throw new ChannelTrouble("auth", NOT_A_COMMUNITY);
  const { permissions } = Rights.parse(await call("groups.getTokenPermissions", {}, limits));
  const rights = new Set(permissions.map(({ name }) => name));
  if (!rights.has("messages") || !rights.has("manage")) throw new ChannelTrouble("auth", NO_RIGHTS);
  return { id: String(community.id), name: sanitizeText(community.name) };
}

async function sendParts(call: VkCall, out: Outgoing, ms: number, ending?: AbortSignal): Promise<SendResult> {
  const externalIds: string[] = [];
  if (out.context.denied === true) return { externalIds, ok: false, kind: "blocked", message: DENIED };
  for (const [place, part] of partsOf(out, MAX_CHARS).entries()) {
    if (place < out.delivered) continue;
    const message = {
      peer_id: Number(out.conversation),
      random_id: randomIdOf(out, place),
      message: plainText(part),
      // VK does not fetch links of the message, and people whom a text mentions are not notified.
      dont_parse_links: 1,
      disable_mentions: 1,
    } satisfies Params.MessagesSendParams;
    const sent = await sendOnce(call, message, ms, ending);
    if (typeof sent !== "string") return { externalIds, ...sent };
    externalIds.push(sent);
  }
  return { ok: true, externalIds };
}

/** VK accepts a message with the same random_id in the same conversation once, however often it is sent within an hour. */
function randomIdOf({ key }: Outgoing, place: number): number {
  const bits = createHash("sha256").update(`${key}:${place}`).digest().readUInt32BE(0) & 0x7fffffff;
  // Zero would disable the recognition of repeats.
  return bits || 1;
}

async function sendOnce(
  call: VkCall,
  message: Params.MessagesSendParams,
  ms: number,
  signal?: AbortSignal,
): Promise<string | SendFailure> {
  if (signal?.aborted) return { ok: false, kind: "retry", afterMs: 0, message: "Отправка прервана" };
  for (let attempt = 1; ; attempt++) {
    try {
      return String(z.number().parse(await call("messages.send", { ...message }, { ms, signal })));
    } catch (error) {
      const failure = sendFailure(error);
      if (failure.kind !== "unknown" || attempt === ATTEMPTS || signal?.aborted) return failure;
      await sleep(AGAIN_MS * attempt, undefined, { signal }).catch(() => {});
    }
  }
}
