import type { Platform } from "../protocol/platform.ts";
import { EmailCredentials, mailboxOf } from "./credentials.ts";
import { type EmailServers, email as emailChannel } from "./email.ts";

export interface EmailAddresses {
  /** null: where the mailbox's domain has them. */
  emailServers: EmailServers | null;
}

export const email: Platform<EmailCredentials, EmailAddresses> = {
  credentials: EmailCredentials,
  credentialsOf: ({ apiKey, settings }) => mailboxOf(apiKey, settings?.address || null),
  open: (credentials, { emailServers }) => emailChannel(credentials, emailServers),
  otherAccount: "Это другой ящик",
  fetchesAgain: true,
  openSettings: (settings) => (settings?.address ? { address: settings.address } : {}),
};
