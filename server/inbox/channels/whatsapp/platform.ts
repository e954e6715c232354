import * as z from "zod/mini";
import { type Platform, serverOf } from "#server/inbox/channel-protocol/platform.ts";
import { whatsapp as whatsappChannel } from "./whatsapp.ts";

/** A token may reach several numbers; `phoneNumber` selects one. */
const credentials = z.object({
  platform: z.literal("whatsapp"),
  accessToken: z.string(),
  appSecret: z.nullable(z.string()),
  phoneNumber: z._default(z.nullable(z.string()), null),
});

export interface WhatsappAddresses {
  whatsappGraphUrl: string;
  /** Secret of the installation's own app at Meta, for integrations that name no other; null: there is none. */
  whatsappAppSecret: string | null;
}

export const whatsapp: Platform<z.infer<typeof credentials>, WhatsappAddresses> = {
  credentials,
  credentialsOf: ({ apiKey, phoneNumber, settings }) => ({
    platform: "whatsapp",
    accessToken: apiKey,
    appSecret: settings?.app_secret || null,
    phoneNumber: phoneNumber || settings?.phone_number || null,
  }),
  open: ({ accessToken, phoneNumber, appSecret }, { whatsappAppSecret, whatsappGraphUrl }, integration, proxy) =>
    whatsappChannel({
      accessToken,
      phoneNumber,
      appSecret: appSecret ?? whatsappAppSecret,
      phoneNumberId: integration?.accountId ?? null,
      graphUrl: whatsappGraphUrl,
      proxy,
    }),
  servers: (_credentials, { whatsappGraphUrl }) => [serverOf(whatsappGraphUrl)],
  otherAccount: "Это другой номер",
  ownerEnters: "address and token",
  accountIsNumber: true,
};
