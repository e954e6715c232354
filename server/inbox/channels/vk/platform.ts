import * as z from "zod/mini";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { vk as vkChannel } from "./vk.ts";

const credentials = z.object({ platform: z.literal("vk"), token: z.string() });

export const vk: Platform<z.infer<typeof credentials>, { vkApiUrl: string }> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "vk", token: apiKey }),
  otherAccount: "Это другое сообщество",
  open({ token }, { vkApiUrl }, integration, proxy) {
    const groupId = integration?.accountId ? Number(integration.accountId) : null;
    const { announce, ...polling } = vkChannel({ token, apiUrl: vkApiUrl, groupId, proxy });
    // With a proxy, messages are polled through it, because incoming calls of VK would bypass it.
    return proxy === null && announce !== undefined ? { ...polling, announce } : polling;
  },
  servers: (_credentials, { vkApiUrl }) => [serverOf(vkApiUrl)],
  // VK recognises repeats for an hour; the owner decides about older ones.
  knowsRepeatsMs: 50 * 60_000,
};
