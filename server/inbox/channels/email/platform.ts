import type { Platform } from "#server/inbox/channel-protocol/platform.ts";
import { EmailCredentials, mailboxOf } from "./credentials.ts";
import { type EmailServers, email as emailChannel, mailboxLogin } from "./email.ts";

export interface EmailAddresses {
  /** null: the servers of the mailbox's domain are used. */
  emailServers: EmailServers | null;
}

export const email: Platform<EmailCredentials, EmailAddresses> = {
  credentials: EmailCredentials,
  credentialsOf: ({ apiKey, settings }) => mailboxOf(apiKey, settings?.address || null),
  open: (credentials, { emailServers }, _integration, proxy) => emailChannel(credentials, emailServers, proxy),
  async servers(credentials, { emailServers }) {
    const { servers, trusted } = await mailboxLogin(credentials, emailServers);
    return [servers.imap, ...servers.smtp.slice(0, 1)].map(({ host, port, secure }) => ({
      ...{ host, port, tls: secure, ours: trusted },
    }));
  },
  otherAccount: "Это другой ящик",
  fetchesAgain: true,
  openSettings: (settings) => (settings?.address ? { address: settings.address } : {}),
};
