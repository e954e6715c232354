import * as z from "zod/mini";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { slack as slackChannel } from "./slack.ts";

/** A webhook URL alone allows sending, so it is a credential. With only the bot token and the URL nothing is received. */
const credentials = z.object({
  platform: z.literal("slack"),
  botToken: z.string(),
  webhookUrl: z.nullable(z.string()),
  signingSecret: z.nullable(z.string()),
  appToken: z.nullable(z.string()),
});

export const slack: Platform<z.infer<typeof credentials>, { slackApiUrl: string }> = {
  credentials,
  credentialsOf: ({ apiKey, settings }) => ({
    platform: "slack",
    botToken: apiKey,
    webhookUrl: settings?.webhook_url || null,
    signingSecret: settings?.signing_secret || null,
    appToken: settings?.app_token || null,
  }),
  open: ({ botToken, signingSecret, appToken }, { slackApiUrl }, integration, proxy) =>
    slackChannel({
      botToken,
      signingSecret,
      appToken,
      teamId: integration?.accountId ?? null,
      apiUrl: slackApiUrl,
      proxy,
    }),
  servers: (_credentials, { slackApiUrl }) => [serverOf(slackApiUrl)],
  otherAccount: "Это другое рабочее пространство",
  ownerEnters: "address",
};
