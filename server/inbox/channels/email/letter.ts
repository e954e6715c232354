/** Converts a letter to `Inbound`. */
import type { AddressObject, Attachment, ParsedMail } from "mailparser";
import type { Inbound, PlatformMedia, SenderAuthenticity } from "#server/inbox/channel-protocol/channel.ts";
import { isOptOut } from "#server/inbox/channel-protocol/opt-out.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { htmlText } from "#server/knowledge/documents/html-text.ts";
import { isAutomaticLetter } from "#server/knowledge/letters/automatic-letter.ts";
import { toUtf8Letter } from "#server/knowledge/letters/letter-encoding.ts";
import { answersLetter, type OwnWords, ownWords } from "#server/knowledge/letters/own-words.ts";
import { senderAuthenticity, type TrustedServers } from "./authentication/sender-authenticity.ts";
import { deliveryReport } from "./parsing/delivery-report.ts";
import { conversationKey, digest, isOwnMessageId, messageIdsIn, ownKeysIn, referencesOf, threadOf } from "./thread.ts";

/** Maximum bytes read of a letter: its text is at the beginning, before pictures and files. */
export const READ_BYTES = 1024 * 1024;
const TEXT_CHARS = 20_000;
const NAMED_FILES = 10;
/** A letter to more people than this does not belong to a thread with any of them. */
const CORRESPONDENTS = 5;

export interface RawLetter {
  /** The letter's name in the folder, «validity.uid». */
  place: string;
  source: Buffer;
  arrivedAt: Date;
}

/** `context` of the inbound message: what an answer to the letter needs. */
export interface LetterContext {
  subject: string;
  messageId: string | null;
  /** The ids that the answer lists in References, with the letter's own id last. */
  references: string[];
}

const READING = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  maxHtmlLengthToParse: READ_BYTES,
};

interface Person {
  address: string;
  name: string;
}

interface Read {
  mail: ParsedMail;
  /** Absent when no address of the letter is one. */
  from: Person | undefined;
  head: { messageId: string | null; references: string[] };
}

/** null for bytes that no mail program could parse either. */
async function read(letter: RawLetter): Promise<Read | null> {
  const { simpleParser } = await import("mailparser");
  const mail = await toUtf8Letter(letter.source)
    .then((source) => simpleParser(source, READING))
    .catch(() => null);
  if (mail === null) return null;
  // A person who has left out his own address may be answered at the one that he asks to write to.
  const [from = people(mail.replyTo)[0]] = people(mail.from);
  const references = messageIdsIn(...[mail.references ?? []].flat(), mail.inReplyTo);
  return {
    mail,
    from,
    head: { messageId: messageIdsIn(mail.messageId)[0] ?? null, references: [...new Set(references)] },
  };
}

/**
 * Converts a letter of the inbox; null when it is not for the twin. That is a letter of a program or mailing list (except delivery
 * reports), of the owner, or with the owner only in copy.
 * @param own the mailbox's address, in lower case
 */
export async function inboundOf(letter: RawLetter, own: string, trusted: TrustedServers): Promise<Inbound | null> {
  const found = await read(letter);
  if (found === null) return null;
  const { mail, from, head } = found;
  if (from === undefined) {
    if (isAutomatic(mail, NOBODY, NOBODY)) return null;
    throw new Error("the letter names no sender");
  }
  // The correspondent is the recipient of the answer, so a forged sender reveals nothing about the person named.
  const peer = people(mail.replyTo)[0] ?? from;
  if (from.address === own || peer.address === own) return null;
  if (isAutomatic(mail, from, peer)) return undelivered(letter, found);
  const isDirect = people(mail.to).some(({ address }) => address === own);
  if (!isDirect && people(mail.cc).some(({ address }) => address === own)) return null;
  const subject = sanitizeText(mail.subject ?? "").slice(0, 300);
  const { text, cut, attachments, media } = contentOf(found, letter.place);
  const begins = head.references.length === 0;
  const question = begins && subject !== "" && !isOptOut(text) ? [subject, text].filter(Boolean).join("\n\n") : text;
  const context: LetterContext = { subject, messageId: head.messageId, references: referencesOf(head) };
  return {
    ...placed(letter, found, peer),
    text: question,
    attachments: question === "" && attachments.length === 0 ? ["Пустое письмо"] : attachments,
    ...(media.length === 0 ? {} : { media }),
    ...(cut === "" ? {} : { quoted: cut }),
    automated: false,
    sender: { authenticity: authenticityOf(found, peer, trusted), refersTo: ownKeysIn(head.references) },
    context: { ...context },
  };
}

const NOBODY: Person = { address: "", name: "" };

function isAutomatic({ headerLines, subject = "" }: ParsedMail, from: Person, peer: Person): boolean {
  const header = new Map(headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));
  return isAutomaticLetter({ header, subject, from: from.address, replyTo: peer.address });
}

/** The check covered the sender's domain. A sender who wants the answer elsewhere has not proven to own the other address. */
function authenticityOf({ mail }: Read, peer: Person, trusted: TrustedServers): SenderAuthenticity {
  const senders = people(mail.from);
  const found = senderAuthenticity(mail.headerLines, senders.length === 1 ? senders[0]!.address : "", trusted);
  return found === "passed" && peer.address !== senders[0]?.address ? "unknown" : found;
}

/** Converts a mail server's report that our letter did not arrive to a message of its conversation; null for any other letter. */
function undelivered(letter: RawLetter, found: Read): Inbound | null {
  const { recipient, failed, ours } = deliveryReport(letter.source.toString("latin1"));
  if (recipient === null || ours === null || !failed) return null;
  const address = sanitizeText(recipient).toLowerCase();
  const context: LetterContext = { subject: "", messageId: ours.id, references: [ours.id] };
  return {
    ...placed(letter, found, { address, name: address }),
    conversation: conversationKey(address, ours.thread),
    text: "",
    attachments: ["Письмо не доставлено"],
    automated: true,
    joinsOnly: true,
    context: { ...context },
  };
}

/**
 * Converts a letter that the owner has sent in a thread by another mail program to one message per correspondent. Empty for the twin's own
 * letters.
 */
export async function sentByOwner(letter: RawLetter, own: string): Promise<Inbound[]> {
  const found = await read(letter);
  if (found?.from === undefined) return [];
  const { mail, head } = found;
  const auto = mail.headerLines.some(({ key, line }) => key === "auto-submitted" && !/:\s*no\b/i.test(line));
  // A letter that starts a thread goes to a person with whom the twin has no conversation.
  if (auto || isOwnMessageId(head.messageId) || head.references.length === 0) return [];
  const peers = [...people(mail.to), ...people(mail.cc)].filter(({ address }) => address !== own);
  if (peers.length > CORRESPONDENTS) return [];
  const { text, attachments } = contentOf(found, letter.place);
  return peers.map((peer) => ({
    ...placed(letter, found, peer),
    text,
    attachments: text === "" && attachments.length === 0 ? ["Письмо"] : attachments,
    automated: false,
    fromOwner: true,
    joinsOnly: true,
  }));
}

type Placed = Pick<Inbound, "eventId" | "conversation" | "position" | "peer" | "sentAt" | "messageId">;

function placed({ place, arrivedAt }: RawLetter, { from, head }: Read, peer: Person): Placed {
  const { messageId } = head;
  return {
    // The Message-ID identifies the letter even when the server renumbers the folder.
    eventId:
      messageId === null ? `uid:${place}` : `mail:${digest(`${messageId} ${(from ?? peer).address} ${peer.address}`)}`,
    conversation: conversationKey(peer.address, threadOf(head, place)),
    position: arrivedAt.getTime(),
    peer: { id: peer.address, name: peer.name || peer.address, handle: peer.address },
    sentAt: arrivedAt.toISOString(),
    ...(messageId === null ? {} : { messageId }),
  };
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/;

function people(header: AddressObject | AddressObject[] | undefined): Person[] {
  return [header ?? []]
    .flat()
    .flatMap(({ value }) => value.flatMap((each) => each.group ?? [each]))
    .map(({ address, name }) => ({
      address: sanitizeText(address ?? "").toLowerCase(),
      name: sanitizeText(name).slice(0, 200),
    }))
    .filter(({ address }) => address.length <= 254 && ADDRESS.test(address));
}

function contentOf(
  { mail, head }: Read,
  place: string,
): { text: string; cut: string; attachments: string[]; media: PlatformMedia[] } {
  const { text, forwarded, cut } = wordsOf(mail, answersLetter(head.references, mail.subject ?? ""));
  const files = mail.attachments.filter(isFile);
  const named = files.slice(0, NAMED_FILES);
  const beyond = files.length - NAMED_FILES;
  return {
    ...{ text, cut },
    attachments: [
      ...(forwarded ? ["Пересланное письмо"] : []),
      ...named.map(attachmentName),
      ...(beyond > 0 ? [`И ещё файлов: ${beyond}`] : []),
    ],
    media: named.flatMap((file) => mediaOf(file, attachmentName(file), place) ?? []),
  };
}

function wordsOf({ text, html }: ParsedMail, answers: boolean): OwnWords {
  const isPlain = text !== undefined && text.trim() !== "";
  const written = isPlain ? { above: text, below: "" } : wordsOfHtml(typeof html === "string" ? html : "", answers);
  const own = ownWords(written.above.slice(0, 10 * TEXT_CHARS), answers);
  const cut = [own.cut, written.below].filter((part) => part !== "").join("\n\n");
  return {
    ...own,
    text: sanitizeText(own.text).slice(0, TEXT_CHARS),
    cut: sanitizeText(cut.slice(0, 2 * TEXT_CHARS)).slice(0, TEXT_CHARS),
  };
}

/** Elements in which common mail programs put the quoted letter. */
const HTML_QUOTE =
  /<blockquote\b|<div[^>]{0,300}(?:class="?[^">]{0,100}(?:gmail_quote|yahoo_quoted|moz-cite-prefix|moz-forward-container)|id="?(?:[\w-]{0,20}divRplyFwdMsg|[\w-]{0,20}appendonsend|[\w-]{0,20}reply-intro))/i;

/** Parts the text of HTML at the quoted letter, which only an answer has. */
function wordsOfHtml(html: string, answers: boolean): { above: string; below: string } {
  const quote = answers ? html.search(HTML_QUOTE) : -1;
  const above = quote < 0 ? "" : readable(html.slice(0, quote));
  return above === "" ? { above: readable(html), below: "" } : { above, below: readable(html.slice(quote)) };
}

/** Returns the text of HTML; "" when it is nested deeper than any real letter. */
function readable(html: string): string {
  try {
    return htmlText(html).text;
  } catch {
    return "";
  }
}

/** Excludes pictures of a signature, which the text itself shows. */
const isFile = ({ contentDisposition, related, cid }: Attachment): boolean =>
  !related && (contentDisposition === "attachment" || cid === undefined);

function mediaOf({ contentType, partId }: Attachment, name: string, letter: string): PlatformMedia | null {
  const kind = contentType.startsWith("image/") ? "picture" : contentType.startsWith("audio/") ? "speech" : null;
  // IMAP numbers the content of a letter without parts as part 1.
  return kind === null ? null : { kind, name, at: { letter, part: partId ?? "1" } };
}

function attachmentName({ contentType, filename }: Attachment): string {
  if (contentType === "message/rfc822") return "Пересланное письмо";
  const kind = contentType.startsWith("image/")
    ? "Фото"
    : contentType.startsWith("audio/")
      ? "Аудио"
      : contentType.startsWith("video/")
        ? "Видео"
        : contentType === "text/calendar"
          ? "Приглашение"
          : "Файл";
  const name = sanitizeText(filename ?? "").slice(0, 100);
  return kind === "Файл" && name !== "" ? `Файл «${name}»` : kind;
}
