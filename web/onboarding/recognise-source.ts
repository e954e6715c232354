/** Guesses a file's source from its beginning. The server reads the whole file and decides. */
import type { Source } from "./use-onboarding-address.ts";

/** Size of the beginning that is read, the same as on the server. */
const HEAD_BYTES = 64 * 1024;

const WHATSAPP_LINE =
  /^[\u200e\ufeff]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? {1,3}\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?(?:\]| -|\s-) /im;
const MAIL_HEADERS = /^(?:From |(?:From|Received|Return-Path|Delivered-To|Message-ID|MIME-Version):)/im;

/** Returns null when the file comes from none of the sources or cannot be recognised. */
export async function recogniseSource(file: File): Promise<Source | null> {
  const head = await file
    .slice(0, HEAD_BYTES)
    .text()
    .catch(() => "");
  return sourceOf(head, file.name);
}

export function sourceOf(head: string, fileName: string): Source | null {
  if (head.startsWith("PK")) return sourceOfArchive(`${fileName}\n${head}`);
  if (/^\s*[[{]/.test(head)) return /"(?:from_id|text_entities|actor_id|personal_chat)"/.test(head) ? "telegram" : null;
  if (/class="(?:page_wrap|message default|body details)/.test(head)) return "telegram";
  if (WHATSAPP_LINE.test(head)) return "whatsapp";
  return MAIL_HEADERS.test(head.slice(0, 2000)) && /^(?:Subject|Date):/im.test(head) ? "email" : null;
}

/** Recognises an archive by its file names, which precede each entry. */
function sourceOfArchive(names: string): Source | null {
  if (/whatsapp|_chat\.txt/i.test(names)) return "whatsapp";
  if (/\.(?:mbox|eml)/i.test(names)) return "email";
  return /result\.json|messages\d*\.html|ChatExport/i.test(names) ? "telegram" : null;
}
