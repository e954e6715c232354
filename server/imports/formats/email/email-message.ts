// Converts one letter into a message of a chat between its people, with only the writer's own words.
import { createHash } from "node:crypto";
import type { AddressObject, Headers } from "mailparser";
import { isAutomaticLetter } from "#server/knowledge/letters/automatic-letter.ts";
import { decodeWords } from "#server/knowledge/letters/encoded-words.ts";
import { toUtf8Letter } from "#server/knowledge/letters/letter-encoding.ts";
import { answersLetter, ownWords } from "#server/knowledge/letters/own-words.ts";
import { cleanName, type ImportEvent, type ImportedChat, isStorable, MAX_MESSAGE_BYTES, reasons } from "../message.ts";

/** A longer letter is skipped, because its attachments would stay in memory while it is cut out of its file. */
export const MAX_LETTER_BYTES = 50 * 1024 * 1024;

interface Person {
  id: string;
  name: string;
}

interface Letter {
  headers: Headers;
  /** The header's values as they are written, by lower-case name. */
  lines: ReadonlyMap<string, string>;
  text: string;
}

/** Returns the letter's chat and message, and the owner of the mailbox if the letter names one. */
export async function readLetter(bytes: Buffer, line: number): Promise<ImportEvent[]> {
  const began = Date.now();
  const letter = await parseLetter(await toUtf8Letter(bytes));
  const [from] = peopleOf(letter?.headers.get("from"));
  if (letter === null || from === undefined) return [{ type: "rejected", line, reason: "Письмо не читается" }];
  const { headers } = letter;
  if (letter.text.length > MAX_MESSAGE_BYTES / 2) return [{ type: "rejected", line, reason: reasons.tooLong }];
  const references = [idIn(headers, "in-reply-to"), idIn(headers, "references")].filter((id) => id !== null);
  const own = ownWords(letter.text, answersLetter(references, String(headers.get("subject") ?? "")));
  // Short letters often have only a subject, which is then the text.
  const text = own.text === "" && !own.forwarded ? newSubject(headers) : own.text;
  if (!isStorable(text)) return [{ type: "rejected", line, reason: reasons.notStorable }];
  const date = headers.get("date");
  const chat = chatOf(letter, from);
  return [
    ...ownerOf(headers, from),
    { type: "chat", chat },
    {
      type: "message",
      message: {
        chatId: chat.id,
        externalId: idIn(headers, "message-id"),
        authorId: from.id,
        authorName: from.name,
        // The parser returns the present time for a date that it cannot parse.
        sentAt: date instanceof Date && date.getTime() > 0 && date.getTime() < began ? date : null,
        text,
        replyTo: idIn(headers, "in-reply-to"),
        kind: text !== "" ? "text" : own.forwarded ? "forward" : "media",
        line,
      },
    },
  ];
}

/** Returns null when the bytes are not a letter. Attachments are skipped while streaming. */
async function parseLetter(bytes: Buffer): Promise<Letter | null> {
  // Lazy import: the parser is 26 MB of code that a server without mail does not need.
  const { MailParser } = await import("mailparser");
  return new Promise((resolve) => {
    const parser = new MailParser({
      skipTextToHtml: true,
      skipTextLinks: true,
      maxHtmlLengthToParse: MAX_MESSAGE_BYTES,
    });
    let headers: Headers | null = null;
    let lines = new Map<string, string>();
    let text = "";
    parser.on("headers", (found) => {
      headers = found;
    });
    parser.on("headerLines", (found) => {
      lines = new Map(found.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));
    });
    parser.on("data", (part) => {
      if (part.type === "text") text = part.text ?? "";
      else {
        part.content.on("end", () => part.release());
        part.content.resume();
      }
    });
    // The parser failed on a malformed letter, so its partial result is not trusted.
    parser.on("error", () => resolve(null));
    parser.on("end", () => resolve(headers === null ? null : { headers, lines, text }));
    parser.end(bytes);
  });
}

/** Returns the people of an address header; groups («Отдел: a@…, b@…;») are split into their members. */
function peopleOf(header: unknown): Person[] {
  const lists = header === undefined ? [] : [header].flat();
  return lists
    .flatMap((list) => (list as AddressObject).value ?? [])
    .flatMap((entry) => entry.group ?? [entry])
    .flatMap(({ address = "", name }) => {
      const id = cleanName(address.toLowerCase());
      return id === "" ? [] : [{ id, name: cleanName(name) || id }];
    });
}

function chatOf({ headers, lines }: Letter, from: Person): ImportedChat {
  const subject = String(headers.get("subject") ?? "");
  // Mailings and notices, which no person answers.
  if (isAutomaticLetter({ header: lines, subject, from: from.id, replyTo: from.id }))
    return { id: `list:${from.id}`, name: from.name, kind: "channel" };
  const people = [from, ...peopleOf(headers.get("to")), ...peopleOf(headers.get("cc"))];
  const members = [...new Map(people.map((person) => [person.id, person])).values()];
  const ids = members.map(({ id }) => id).sort();
  const joined = ids.join(" ");
  return {
    id: joined.length <= 200 ? joined : createHash("sha256").update(joined).digest("hex"),
    name: members
      .map(({ name }) => name)
      .join(", ")
      .slice(0, 300)
      .toWellFormed(),
    kind: ids.length === 1 ? "saved" : ids.length === 2 ? "private" : "group",
    members: members.slice(0, 20),
  };
}

/** Google marks sent letters; other mailboxes name their owner in a header. */
function ownerOf(headers: Headers, from: Person): ImportEvent[] {
  if (/(?:^|,)\s*(?:Sent|Отправленные)/.test(decodeWords(String(headers.get("x-gmail-labels") ?? "")))) {
    return [{ type: "owner", authorId: from.id }];
  }
  const [mailbox] = peopleOf(headers.get("delivered-to"));
  return mailbox === undefined ? [] : [{ type: "owner", authorId: mailbox.id }];
}

const newSubject = (headers: Headers): string => {
  const subject = String(headers.get("subject") ?? "").trim();
  return /^(?:re|fwd?|на|отв|пересл)\s*:/i.test(subject) ? "" : subject;
};

function idIn(headers: Headers, name: string): string | null {
  const id = /<[^<>\s]+>/.exec(String(headers.get(name) ?? ""))?.[0] ?? "";
  return id !== "" && id.length <= 300 && isStorable(id) ? id : null;
}
