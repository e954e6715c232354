/** Fetches a letter's recording or picture from the server separately, because only the beginning of a letter is read. */
import { addAbortSignal } from "node:stream";
import * as z from "zod/mini";
import type { FetchLimits, PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import { MediaUnavailable, TOO_LARGE } from "#server/inbox/channel-protocol/fetch-media.ts";
import { closeConnection, type MailboxLogin, openImap } from "./imap.ts";

/** `letter`: its name in the inbox, «validity.uid»; `part`: its IMAP part number. */
const At = z.object({
  letter: z.string().check(z.regex(/^\d{1,20}\.\d{1,10}$/)),
  part: z.string().check(z.regex(/^\d{1,4}(\.\d{1,4}){0,9}$/)),
});

const GONE = "Письма больше нет во входящих.";

/** @throws MediaUnavailable; ChannelTrouble and the client's errors, after which a retry may help */
export async function fetchAttachedFile(
  login: MailboxLogin,
  at: PlatformMedia["at"],
  limits: FetchLimits,
): Promise<Buffer> {
  const place = At.safeParse(at).data;
  if (place === undefined) throw new MediaUnavailable(GONE);
  const [validity, uid] = place.letter.split(".") as [string, string];
  const { signal, maxBytes } = limits;
  const client = await openImap(login, signal);
  try {
    const mailbox = await client.mailboxOpen("INBOX", { readOnly: true });
    if (String(mailbox.uidValidity) !== validity) throw new MediaUnavailable(GONE);
    // One byte beyond the limit shows that the file is too large.
    const { content } = await client.download(uid, place.part, { uid: true, maxBytes: maxBytes + 1 });
    if (content === undefined) throw new MediaUnavailable(GONE);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of addAbortSignal(signal, content)) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) throw new MediaUnavailable(TOO_LARGE);
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } finally {
    await closeConnection(client);
  }
}
