import * as z from "zod/mini";
import type { Platform } from "../protocol/platform.ts";
import { discord as discordChannel } from "./discord.ts";

const credentials = z.object({ platform: z.literal("discord"), botToken: z.string() });

export const discord: Platform<z.infer<typeof credentials>, { discordApiUrl: string }> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "discord", botToken: apiKey }),
  otherAccount: "Это другой бот",
  open: ({ botToken }, { discordApiUrl }) => discordChannel({ token: botToken, apiUrl: discordApiUrl }),
};
