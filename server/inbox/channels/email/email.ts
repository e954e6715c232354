/** Email: reads letters by IMAP and answers by SMTP. */

import { type Channel, ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { answerLetter } from "./answer.ts";
import { fetchAttachedFile } from "./attached-file.ts";
import { serversNear, type TrustedServers } from "./authentication/sender-authenticity.ts";
import type { EmailCredentials } from "./credentials.ts";
import { keepCopy, type MailboxLogin, type ReadingOptions, readMailbox, verifyImap } from "./imap.ts";
import { SERVER_UNAVAILABLE } from "./login.ts";
import { findServers, type MailServers, serverAt } from "./servers.ts";
import { sendLetter, verifySmtp } from "./smtp.ts";

/** Servers for all mailboxes, as imap(s):// and smtp(s)://, which replace those of the mailboxes' domains. */
export interface EmailServers {
  imap: string;
  smtp: string;
}

/** Maximum length of an answer, which is always one letter. */
const MAX_CHARS = 100_000;
const VERIFY_MS = 8_000;

export function email(
  credentials: EmailCredentials,
  fixed: EmailServers | null,
  proxy: Proxied | null = null,
  reading?: ReadingOptions,
): Channel {
  const loginOf = async () => ({ ...(await mailboxLogin(credentials, fixed)), proxy });
  return {
    platform: "email",
    maxChars: MAX_CHARS,
    async verify(signal) {
      const login = await loginOf();
      const ended = AbortSignal.any([AbortSignal.timeout(VERIFY_MS), ...(signal === undefined ? [] : [signal])]);
      const tooLong = new Promise<never>((_resolve, reject) => {
        ended.addEventListener("abort", () => reject(new ChannelTrouble("away", SERVER_UNAVAILABLE)), { once: true });
      });
      // If both refuse, the error of IMAP is reported, because it is clearer.
      const [read, sent] = await Promise.allSettled([
        Promise.race([verifyImap(login, ended), tooLong]),
        Promise.race([verifySmtp(login), tooLong]),
      ]);
      for (const result of [read, sent]) if (result.status === "rejected") throw result.reason;
      return { name: login.address, id: login.address };
    },
    async receive(receiving) {
      const login = await loginOf().catch((error: unknown) => {
        // The servers were found when the mailbox was connected, so this failure is temporary.
        if (error instanceof ChannelTrouble) throw new ChannelTrouble("away", error.message);
        throw error;
      });
      await readMailbox(login, receiving, reading);
    },
    fetchMedia: async (at, limits) => fetchAttachedFile(await loginOf(), at, limits),
    async send(out, ending) {
      if (out.delivered > 0) return { ok: true, externalIds: [] };
      try {
        const login = await loginOf();
        const letter = await answerLetter(login.address, out);
        const result = await sendLetter(login, letter, ending);
        if (!result.ok) return { ...result, externalIds: [] };
        // The letter is sent. A failure to store its copy would make that look uncertain, so the copy is not awaited.
        keepCopy(login, letter).catch(() => {});
        return { ok: true, externalIds: [letter.messageId] };
      } catch (error) {
        const message = error instanceof ChannelTrouble ? error.message : "Письмо не составлено";
        const kind = error instanceof ChannelTrouble ? "retry" : "invalid";
        return { externalIds: [], ok: false, ...(kind === "retry" ? { kind, afterMs: 60_000 } : { kind }), message };
      }
    },
  };
}

/** @throws ChannelTrouble */
export async function mailboxLogin(
  credentials: EmailCredentials,
  fixed: EmailServers | null,
): Promise<Omit<MailboxLogin, "proxy">> {
  const { password, imap, smtp, checkedBy } = credentials;
  const address = credentials.address?.toLowerCase() ?? null;
  if (address === null) {
    throw new ChannelTrouble("away", "Неизвестен адрес ящика: подключите его заново и укажите адрес в «Дополнительно»");
  }
  const named = {
    imap: imap === null ? null : serverOf(imap, 993, 143),
    smtp: smtp === null ? null : serverOf(smtp, 465, 587),
  };
  const trusted = fixed !== null && imap === null;
  const servers: MailServers = trusted
    ? { imap: serverOf(fixed.imap, 993, 143), smtp: [serverOf(fixed.smtp, 465, 587)], provider: null }
    : await findServers({ address, ...named });
  return {
    ...{ address, user: credentials.user ?? address, password, servers, trusted },
    checking: checkingOf(checkedBy?.toLowerCase(), servers, address),
  };
}

/** Returns the servers whose results on senders count: those named by the owner, of a known provider, or near the mailbox. */
function checkingOf(named: string | undefined, { provider, imap }: MailServers, address: string): TrustedServers {
  const known = named === undefined ? provider?.checkedBy : [named];
  return known === undefined ? serversNear(imap.host, address) : { domains: known, alwaysWrite: true };
}

/** @param url «imaps://host», «smtp://host:port»; the «s» means TLS from the first byte, otherwise STARTTLS */
function serverOf(url: string, tls: number, startTls: number) {
  const [, scheme, place] = /^(\w+):\/\/([^/]+)/.exec(url)!;
  const secure = scheme!.toLowerCase().endsWith("s");
  return serverAt(place!, secure ? tls : startTls, secure);
}
