import * as z from "zod/mini";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { max as maxChannel } from "./max.ts";

const credentials = z.object({ platform: z.literal("max"), botToken: z.string() });

export interface MaxAddresses {
  maxApiUrl: string;
  maxRoots: readonly string[];
}

export const max: Platform<z.infer<typeof credentials>, MaxAddresses> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "max", botToken: apiKey }),
  open({ botToken }, { maxApiUrl, maxRoots }, integration, proxy) {
    const botId = integration?.accountId ?? null;
    const { announce, ...polling } = maxChannel({ token: botToken, apiUrl: maxApiUrl, roots: maxRoots, proxy, botId });
    // With a proxy, messages are polled through it, because incoming calls of MAX would bypass it.
    return proxy === null && announce !== undefined ? { ...polling, announce } : polling;
  },
  servers: (_credentials, { maxApiUrl, maxRoots }) => [{ ...serverOf(maxApiUrl), roots: maxRoots }],
  otherAccount: "Это другой бот",
};
