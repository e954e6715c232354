/** Recognises letters of programs: an answer could start a conversation between two programs. */
import type { ParsedMail } from "mailparser";

const BULK = /^(?:bulk|list|junk|auto_reply)$/i;
/** Headers whose presence alone shows that a program wrote the letter. */
const TELLING = new Set([
  "list-id",
  "list-unsubscribe",
  "list-post",
  "x-auto-response-suppress",
  "x-autoreply",
  "x-autorespond",
  "x-failed-recipients",
  "x-loop",
]);
const REPORT = /^(?:multipart\/report|message\/(?:delivery-status|disposition-notification))/i;
const NOBODY = /^(?:mailer-daemon|postmaster|bounces?|(?:no|do-?not|not)[-_.]?reply)(?:[-_.+].*)?$/i;
const SUBJECT = /^(?:auto(?:matic)?[ -]?(?:reply|response)|out of (?:the )?office|автоответ|автоматический ответ)/i;

/** @param from the sender's address in lower case; @param replyTo the address that an answer would go to */
export function isAutomatic(mail: ParsedMail, from: string, replyTo: string): boolean {
  const lines = new Map(mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));
  if (!/^(?:no\b|$)/i.test(lines.get("auto-submitted") ?? "")) return true;
  if (BULK.test(lines.get("precedence") ?? "")) return true;
  if (/^<\s*>/.test(lines.get("return-path") ?? "")) return true;
  if (REPORT.test(lines.get("content-type") ?? "")) return true;
  if (SUBJECT.test(mail.subject ?? "")) return true;
  // Letters of website forms have a no-reply sender, and name the person to answer in Reply-To.
  if (isDaemon(from) || NOBODY.test(localPart(replyTo))) return true;
  return [...lines.keys()].some((key) => TELLING.has(key));
}

const localPart = (address: string): string => address.slice(0, address.lastIndexOf("@"));
const isDaemon = (address: string): boolean => /^(?:mailer-daemon|postmaster)$/.test(localPart(address));
