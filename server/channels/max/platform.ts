import * as z from "zod/mini";
import type { Platform } from "../protocol/platform.ts";
import { max as maxChannel } from "./max.ts";

const credentials = z.object({ platform: z.literal("max"), botToken: z.string() });

export interface MaxAddresses {
  maxApiUrl: string;
  maxRoots: readonly string[];
}

export const max: Platform<z.infer<typeof credentials>, MaxAddresses> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "max", botToken: apiKey }),
  open: ({ botToken }, { maxApiUrl, maxRoots }, integration) =>
    maxChannel({ token: botToken, apiUrl: maxApiUrl, roots: maxRoots, botId: integration?.accountId ?? null }),
  otherAccount: "Это другой бот",
};
