/** What a platform is entered with: a union by platform, kept sealed in `integrations.credentials` and opened by nobody but its channel. */
import * as z from "zod/mini";
import { type IntegrationInput, USERBOT_API_KEY } from "#contract/integrations.ts";
import { readMailboxUrl } from "#contract/mailbox-url.ts";
import type { Vault } from "#server/vault.ts";

const secret = z.string();
const optional = z.nullable(z.string());

/** An app password with the mailbox's address, or `imaps://user:password@host`. */
const Email = z.object({
  platform: z.literal("email"),
  /** null: without it the mailbox cannot be found. */
  address: optional,
  /** Where the server knows its user by another name than the address. */
  user: optional,
  password: secret,
  /** «imaps://host:port»; null: found by the address's domain. */
  imap: optional,
  smtp: optional,
});
export type EmailCredentials = z.infer<typeof Email>;

export const Credentials = z.discriminatedUnion("platform", [
  /**
   * A bot or a user account; of both the bot answers, and the account is connected as an integration of its own. An
   * account's session is the channel's state.
   */
  z.object({
    platform: z.literal("telegram"),
    botToken: optional,
    user: z.nullable(z.object({ apiId: secret, apiHash: secret })),
  }),
  /** A token may reach several numbers: `phoneNumber` says which. */
  z.object({
    platform: z.literal("whatsapp"),
    accessToken: secret,
    appSecret: optional,
    phoneNumber: z._default(optional, null),
  }),
  Email,
  /** A webhook's address is its key; with these two alone nothing is received. */
  z.object({
    platform: z.literal("slack"),
    botToken: secret,
    webhookUrl: optional,
    signingSecret: optional,
    appToken: optional,
  }),
  z.object({ platform: z.literal("discord"), botToken: secret }),
  /** The chat on one's own site is ours: nothing proves us to anybody. */
  z.object({ platform: z.literal("web") }),
]);
export type Credentials = z.infer<typeof Credentials>;

/** The form's fields as the platform understands them. */
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

/** The row that the value is bound to. */
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
 * For a channel that is about to speak to its platform: what it gives must reach no answer, no log and no job.
 * @throws VaultError
 */
export function openCredentials(vault: Vault, row: CredentialsRow & { credentials: Buffer }): Credentials {
  return z.parse(Credentials, JSON.parse(vault.open(placeOf(row), row.credentials)));
}
