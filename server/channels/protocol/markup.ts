/** Converts the Markdown that models write for WhatsApp and Slack; Discord takes it as it is. */

interface Dialect {
  /** Escapes text that must not be taken for marks. */
  plain(text: string): string;
  link(text: string, url: string): string;
}

/** Matches bold, italic, struck out, code, a link, a heading or a list item. */
const MARKS =
  /`([^`\n]+)`|\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|~~(?=\S)([^~\n]+?)(?<=\S)~~|(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])|\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)|^#{1,6} +(?! )(.+)$|^( *)[-*] +/gmu;

function dress(text: string, { plain, link }: Dialect): string {
  let dressed = "";
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, bold, struck, italic, linked, url, heading, indent] = match;
    dressed += plain(text.slice(end, match.index));
    if (code !== undefined) dressed += `\`${plain(code)}\``;
    else if (bold !== undefined) dressed += `*${plain(bold)}*`;
    else if (struck !== undefined) dressed += `~${plain(struck)}~`;
    else if (italic !== undefined) dressed += `_${plain(italic)}_`;
    else if (url !== undefined) dressed += link(plain(linked!), plain(url));
    else if (heading !== undefined) dressed += `*${plain(heading.replaceAll("*", ""))}*`;
    else dressed += `${indent}• `;
    end = match.index + whole.length;
  }
  return dressed + plain(text.slice(end));
}

/** *жирный*, _курсив_, ~зачёркнутый~; WhatsApp turns addresses into links by itself. */
export const whatsappText = (text: string): string =>
  dress(text, { plain: (words) => words, link: (words, url) => (words === url ? url : `${words}: ${url}`) });

/** Slack's mrkdwn, in which & < > must be escaped. https://docs.slack.dev/messaging/formatting-message-text */
export const slackText = (text: string): string =>
  dress(text, {
    plain: (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    link: (words, url) => `<${url}|${words.replaceAll("|", "/")}>`,
  });
