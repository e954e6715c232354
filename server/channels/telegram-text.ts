/** An answer in the Bot API's HTML. */

export const TELEGRAM_MAX_CHARS = 4096;

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The little Markdown that models write becomes the Bot API's HTML; everything else is text. */
export function telegramHtml(text: string): string {
  return escaped(text)
    .replace(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, "<b>$1</b>")
    .replace(/`([^`\n]+)`/g, "<code>$1</code>");
}
