import * as z from "zod/mini";
import type { Platform } from "../protocol/platform.ts";
import { vk as vkChannel } from "./vk.ts";

const credentials = z.object({ platform: z.literal("vk"), token: z.string() });

export const vk: Platform<z.infer<typeof credentials>, { vkApiUrl: string }> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "vk", token: apiKey }),
  otherAccount: "Это другое сообщество",
  open: ({ token }, { vkApiUrl }, integration) =>
    vkChannel({ token, apiUrl: vkApiUrl, groupId: integration?.accountId ? Number(integration.accountId) : null }),
  // VK looks for a repeat among the messages of an hour; what is older is for the owner to decide.
  knowsRepeatsMs: 50 * 60_000,
};
