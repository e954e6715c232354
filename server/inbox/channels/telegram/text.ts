/** Formats an answer as the Bot API's HTML. */

export const TELEGRAM_MAX_CHARS = 4096;

/** Disables previews: fetching a link would reveal the URL's contents to the person who placed the link. */
export const NO_PREVIEW = { link_preview_options: { is_disabled: true } } as const;

export const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Converts the Markdown that models write to the Bot API's HTML; everything else is escaped. */
export function telegramHtml(text: string): string {
  return escapeMarkup(text)
    .replace(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, "<b>$1</b>")
    .replace(/`([^`\n]+)`/g, "<code>$1</code>");
}
