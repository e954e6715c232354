/** Credentials by platform, stored sealed in `integrations.credentials` and opened only for their channel. */
import * as z from "zod/mini";
import { type IntegrationInput, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { readMailboxUrl } from "#contract/integrations/mailbox-url.ts";
import type { Vault } from "#server/secrets/vault.ts";

const secret = z.string();
const optional = z.nullable(z.string());

/** An app password with the mailbox's address, or `imaps://user:password@host`. */
const Email = z.object({
  platform: z.literal("email"),
  /** null: the mailbox cannot be found without it. */
  address: optional,
  /** The user name, where it differs from the address. */
  user: optional,
  password: secret,
  /** «imaps://host:port»; null: found by the address's domain. */
  imap: optional,
  smtp: optional,
});
export type EmailCredentials = z.infer<typeof Email>;

export const Credentials = z.discriminatedUnion("platform", [
  /**
   * A bot or a user account; where both are given the bot answers, and the account is connected as an integration of its own. An
   * account's session is part of the channel's state.
   */
  z.object({
    platform: z.literal("telegram"),
    botToken: optional,
    user: z.nullable(z.object({ apiId: secret, apiHash: secret })),
  }),
  /** A token may reach several numbers; `phoneNumber` tells which one is meant. */
  z.object({
    platform: z.literal("whatsapp"),
    accessToken: secret,
    appSecret: optional,
    phoneNumber: z._default(optional, null),
  }),
  Email,
  /** Knowing a webhook URL suffices to use it. With the bot token and the URL alone nothing is received. */
  z.object({
    platform: z.literal("slack"),
    botToken: secret,
    webhookUrl: optional,
    signingSecret: optional,
    appToken: optional,
  }),
  z.object({ platform: z.literal("discord"), botToken: secret }),
  /** The chat on the owner's site is ours and needs no credentials. */
  z.object({ platform: z.literal("web") }),
]);
export type Credentials = z.infer<typeof Credentials>;

/** The form's fields converted for the platform. */
export function credentialsOf(input: IntegrationInput): Credentials {
  const { platform, apiKey, settings } = input;
  switch (platform) {
    case "telegram": {
      const { apiId, apiHash } = input;
      return {
        platform,
        botToken: apiKey === USERBOT_API_KEY ? null : apiKey,
        user: apiId && apiHash ? { apiId, apiHash } : null,
      };
    }
    case "whatsapp":
      return {
        platform,
        accessToken: apiKey,
        appSecret: settings?.app_secret || null,
        phoneNumber: input.phoneNumber || settings?.phone_number || null,
      };
    case "email":
      return { platform, ...mailboxOf(apiKey, settings?.address || null) };
    case "slack":
      return {
        platform,
        botToken: apiKey,
        webhookUrl: settings?.webhook_url || null,
        signingSecret: settings?.signing_secret || null,
        appToken: settings?.app_token || null,
      };
    case "discord":
      return { platform, botToken: apiKey };
  }
}

function mailboxOf(apiKey: string, address: string | null): Omit<EmailCredentials, "platform"> {
  const own = readMailboxUrl(apiKey);
  if (own === null) {
    // Google shows app passwords in groups of four letters, and takes them only without the gaps.
    const password = /^[a-z]{4}(?: [a-z]{4}){3}$/.test(apiKey) ? apiKey.replaceAll(" ", "") : apiKey;
    return { address, user: null, password, imap: null, smtp: null };
  }
  const { user, password, imap, secure, smtp } = own;
  return {
    address: address ?? (user.includes("@") ? user : null),
    user,
    password,
    imap: `${secure ? "imaps" : "imap"}://${imap}`,
    smtp: smtp === null ? null : `${smtp.endsWith(":587") ? "smtp" : "smtps"}://${smtp}`,
  };
}

/** The row that the sealed value is bound to. */
export interface CredentialsRow {
  id: string;
  orgId: string;
}

const placeOf = ({ id, orgId }: CredentialsRow) => ({
  table: "integrations",
  tenant: orgId,
  row: id,
  column: "credentials",
});

export function sealCredentials(vault: Vault, row: CredentialsRow, credentials: Credentials): Buffer {
  return vault.seal(placeOf(row), JSON.stringify(credentials));
}

/**
 * Opens credentials for a channel; the result must reach no answer, no log and no job.
 * @throws VaultError
 */
export function openCredentials(vault: Vault, row: CredentialsRow & { credentials: Buffer }): Credentials {
  return z.parse(Credentials, JSON.parse(vault.open(placeOf(row), row.credentials)));
}
