/** An answer in the Bot API's HTML. */

export const TELEGRAM_MAX_CHARS = 4096;

/** Showing a link must not fetch it: whoever has put it there would learn what stands in its address. */
export const NO_PREVIEW = { link_preview_options: { is_disabled: true } } as const;

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The little Markdown that models write becomes the Bot API's HTML; everything else is text. */
export function telegramHtml(text: string): string {
  return escaped(text)
    .replace(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, "<b>$1</b>")
    .replace(/`([^`\n]+)`/g, "<code>$1</code>");
}
