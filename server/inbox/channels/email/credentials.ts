import * as z from "zod/mini";
import { readMailboxUrl } from "#contract/integrations/mailbox-url.ts";

const optional = z.nullable(z.string());

/** An app password with the mailbox's address, or `imaps://user:password@host`. */
export const EmailCredentials = z.object({
  platform: z.literal("email"),
  /** The mailbox's address; null when none was entered, so that its servers cannot be found. */
  address: optional,
  /** The user name, if it differs from the address. */
  user: optional,
  password: z.string(),
  /** «imaps://host:port»; null: found by the address's domain. */
  imap: optional,
  smtp: optional,
  /** The name under which the server writes Authentication-Results into each incoming letter; absent: unknown. */
  checkedBy: z.optional(optional),
});
export type EmailCredentials = z.infer<typeof EmailCredentials>;

export function mailboxOf(apiKey: string, address: string | null): EmailCredentials {
  const platform = "email";
  const own = readMailboxUrl(apiKey);
  if (own === null) {
    // Google shows app passwords in groups of four letters, but accepts them only without the spaces.
    const password = /^[a-z]{4}(?: [a-z]{4}){3}$/.test(apiKey) ? apiKey.replaceAll(" ", "") : apiKey;
    return { platform, address, user: null, password, imap: null, smtp: null };
  }
  const { user, password, imap, secure, smtp, checkedBy } = own;
  return {
    platform,
    address: address ?? (user.includes("@") ? user : null),
    user,
    password,
    imap: `${secure ? "imaps" : "imap"}://${imap}`,
    smtp: smtp === null ? null : `${smtp.endsWith(":587") ? "smtp" : "smtps"}://${smtp}`,
    ...(checkedBy === null ? {} : { checkedBy }),
  };
}
