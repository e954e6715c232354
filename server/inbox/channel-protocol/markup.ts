/** Converts the Markdown that models write: to the markup of WhatsApp and Slack, to plain text for VK. Discord accepts Markdown. */

interface Dialect {
  /** The marks around bold, italic, struck-out text and code. */
  signs: { bold: string; italic: string; struck: string; code: string };
  /** Escapes text that the platform would read as marks. */
  plain(text: string): string;
  link(text: string, url: string): string;
}

/** Matches bold, italic, struck-out text, code, a link, a heading or a list item. */
const MARKS =
  /`([^`\n]+)`|\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|~~(?=\S)([^~\n]+?)(?<=\S)~~|(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])|\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)|^#{1,6} +(?! )(.+)$|^( *)[-*] +/gmu;

function dress(text: string, { signs, plain, link }: Dialect): string {
  let dressed = "";
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, bold, struck, italic, linked, url, heading, indent] = match;
    dressed += plain(text.slice(end, match.index));
    const within = (sign: string, words: string) => `${sign}${plain(words)}${sign}`;
    if (code !== undefined) dressed += within(signs.code, code);
    else if (bold !== undefined) dressed += within(signs.bold, bold);
    else if (struck !== undefined) dressed += within(signs.struck, struck);
    else if (italic !== undefined) dressed += within(signs.italic, italic);
    else if (url !== undefined) dressed += link(plain(linked!), plain(url));
    else if (heading !== undefined) dressed += within(signs.bold, heading.replaceAll("*", ""));
    else dressed += `${indent}• `;
    end = match.index + whole.length;
  }
  return dressed + plain(text.slice(end));
}

const SIGNS = { bold: "*", italic: "_", struck: "~", code: "`" };
const NO_SIGNS = { bold: "", italic: "", struck: "", code: "" };

const asWritten = {
  plain: (words: string) => words,
  link: (words: string, url: string) => (words === url ? url : `${words}: ${url}`),
};

/** WhatsApp writes *bold*, _italic_, ~struck out~, and turns URLs into links automatically. */
export const whatsappText = (text: string): string => dress(text, { signs: SIGNS, ...asWritten });

export const plainText = (text: string): string => dress(text, { signs: NO_SIGNS, ...asWritten });

/** Slack's mrkdwn, in which & < > must be escaped. https://docs.slack.dev/messaging/formatting-message-text */
export const slackText = (text: string): string =>
  dress(text, {
    signs: SIGNS,
    plain: (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    link: (words, url) => `<${url}|${words.replaceAll("|", "/")}>`,
  });
