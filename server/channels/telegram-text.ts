/** An answer in the Bot API's HTML. */

export const TELEGRAM_MAX_CHARS = 4096;

/** The little Markdown that models write becomes the Bot API's HTML; everything else is text. */
export function telegramHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, "<b>$1</b>")
    .replace(/`([^`\n]+)`/g, "<code>$1</code>");
}
