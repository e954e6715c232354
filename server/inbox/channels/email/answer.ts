/** Writes an answer as a letter in its thread, as plain text and as simple HTML. */
import * as z from "zod/mini";
import type { Outgoing } from "#server/inbox/channel-protocol/channel.ts";
import { ownMessageId, readConversationKey } from "./thread.ts";

const Context = z.object({
  subject: z.catch(z.string(), ""),
  messageId: z.catch(z.nullable(z.string()), null),
  references: z.catch(z.array(z.string()), []),
});

export interface AnswerLetter {
  from: string;
  to: string;
  messageId: string;
  /** Message-ID of the answered letter; null when it had none. */
  inReplyTo: string | null;
  /** The whole letter; the same bytes are sent and stored among the sent letters. */
  source: Buffer;
}

/** Attempts with the same key give the same letter except for its date. */
export async function answerLetter(from: string, out: Outgoing): Promise<AnswerLetter> {
  const { address: to, thread } = readConversationKey(out.conversation);
  const { subject, messageId: inReplyTo, references } = Context.parse(out.context);
  const messageId = ownMessageId(out.key, thread, from);
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const source = await new MailComposer({
    from: { name: "", address: from },
    to: { name: "", address: to },
    subject: /^(?:re|отв|ответ)\s*:/i.test(subject) ? subject : `Re: ${subject || "Ваше письмо"}`,
    messageId,
    ...(inReplyTo === null ? {} : { inReplyTo }),
    references,
    text: withoutMarks(out.text),
    html: mailHtml(out.text),
    // Both headers, of RFC 3834 and of Exchange, ask programs not to answer this letter.
    headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { from, to, messageId, inReplyTo, source };
}

const BOLD = /\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g;
const CODE = /`([^`\n]+)`/g;

const withoutMarks = (text: string): string => text.replace(BOLD, "$1").replace(CODE, "$1");

/** Converts the little Markdown that models write; everything else stays text. */
function mailHtml(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const marked = safe.replace(BOLD, "<b>$1</b>").replace(CODE, "<code>$1</code>");
  const paragraphs = marked.trim().split(/\n{2,}/);
  return paragraphs.map((lines) => `<p>${lines.replaceAll("\n", "<br>\n")}</p>`).join("\n");
}
