import * as z from "zod/mini";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { discord as discordChannel } from "./discord.ts";

const credentials = z.object({ platform: z.literal("discord"), botToken: z.string() });

export const discord: Platform<z.infer<typeof credentials>, { discordApiUrl: string }> = {
  credentials,
  credentialsOf: ({ apiKey }) => ({ platform: "discord", botToken: apiKey }),
  servers: (_credentials, { discordApiUrl }) => [serverOf(discordApiUrl)],
  otherAccount: "Это другой бот",
  open: ({ botToken }, { discordApiUrl }, _integration, proxy) =>
    discordChannel({ token: botToken, apiUrl: discordApiUrl, proxy }),
};
