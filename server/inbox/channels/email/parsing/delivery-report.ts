/** Parses a mail server's report on an undeliverable letter: https://www.rfc-editor.org/rfc/rfc3464 */
import { findOwnMessageId } from "../thread.ts";

interface DeliveryReport {
  recipient: string | null;
  /** Whether the server has given up; otherwise it only reports a delay. */
  failed: boolean;
  /** Our letter that the report is about. */
  ours: { id: string; thread: string } | null;
}

/** Maximum characters read of a line; real fields are shorter. */
const LINE_CHARS = 1000;

/** Parses line by line, because the report is up to a megabyte of untrusted data. */
export function deliveryReport(source: string): DeliveryReport {
  const report: DeliveryReport = { recipient: null, failed: false, ours: null };
  for (let begin = 0; begin < source.length; ) {
    const found = source.indexOf("\n", begin);
    const end = found < 0 ? source.length : found;
    if (end - begin <= LINE_CHARS) readLine(source.slice(begin, end).trimEnd(), report);
    begin = end + 1;
  }
  return report;
}

function readLine(line: string, report: DeliveryReport): void {
  const colon = line.indexOf(":");
  const name = colon < 0 || colon > 40 ? "" : line.slice(0, colon).toLowerCase();
  const value = line.slice(colon + 1).trim();
  if (name === "final-recipient") report.recipient ??= recipientOf(value);
  else if (name === "action") report.failed ||= value.toLowerCase() === "failed";
  report.ours ??= findOwnMessageId(line);
}

/** Extracts the address of a field such as «rfc822; <anna@example.ru>». */
function recipientOf(value: string): string | null {
  const [kind = "", address = ""] = value.split(";", 2).map((part) => part.trim());
  const bare = address.startsWith("<") && address.endsWith(">") ? address.slice(1, -1) : address;
  const at = bare.indexOf("@");
  const isAddress = at > 0 && at < bare.length - 1 && !/[\s<>]/.test(bare);
  return kind.toLowerCase() === "rfc822" && isAddress ? bare : null;
}
