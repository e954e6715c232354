/** Letters that no person waits behind: to answer one may begin a talk of two programs. */
import type { ParsedMail } from "mailparser";

const BULK = /^(?:bulk|list|junk|auto_reply)$/i;
/** Their presence alone tells. */
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

/** @param from of the sender, in lower case; @param replyTo where an answer would go */
export function isAutomatic(mail: ParsedMail, from: string, replyTo: string): boolean {
  const lines = new Map(mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));
  if (!/^(?:no\b|$)/i.test(lines.get("auto-submitted") ?? "")) return true;
  if (BULK.test(lines.get("precedence") ?? "")) return true;
  if (/^<\s*>/.test(lines.get("return-path") ?? "")) return true;
  if (REPORT.test(lines.get("content-type") ?? "")) return true;
  if (SUBJECT.test(mail.subject ?? "")) return true;
  // Letters of a site's form come from nobody, and are to be answered to whom they name.
  if (isDaemon(from) || NOBODY.test(localPart(replyTo))) return true;
  return [...lines.keys()].some((key) => TELLING.has(key));
}

const localPart = (address: string): string => address.slice(0, address.lastIndexOf("@"));
const isDaemon = (address: string): boolean => /^(?:mailer-daemon|postmaster)$/.test(localPart(address));
