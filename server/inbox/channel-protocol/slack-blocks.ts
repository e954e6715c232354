/** Blocks of Slack's messages, of events and of exports. https://docs.slack.dev/reference/block-kit/blocks */
import { fieldOf } from "./identifiers.ts";

/** Blocks are foreign data, so they may be nested without end. */
const DEPTH = 20;
const PARTS = 5_000;
/** Blocks and elements that stand on lines of their own. */
const LINES = new Set<unknown>([
  "section",
  "header",
  "context",
  "rich_text",
  "rich_text_section",
  "rich_text_list",
  "rich_text_quote",
  "rich_text_preformatted",
  "markdown",
]);

/** Returns what the blocks say, in the markup of a message's `text`, whose readers know people and channels by name. */
export function slackBlockMarkup(blocks: unknown): string {
  let left = PARTS;
  const markupOf = (part: unknown, depth: number): string => {
    if (left-- <= 0 || depth > DEPTH || part === null || part === undefined) return "";
    if (typeof part === "string") return escapeText(part);
    if (Array.isArray(part)) return part.map((each) => markupOf(each, depth + 1)).join("");
    const type = fieldOf(part, "type");
    const text = fieldOf(part, "text");
    const mention = mentionOf(type, part);
    if (mention !== undefined) return mention;
    // A text object in Slack's own markup; the texts of all other elements are plain.
    if (type === "mrkdwn" && typeof text === "string") return text;
    const inner = ["text", "title", "elements"].map((field) => markupOf(fieldOf(part, field), depth + 1)).join("");
    const fields = fieldOf(part, "fields");
    const cells = Array.isArray(fields) ? fields.map((each) => `\n${markupOf(each, depth + 1)}`).join("") : "";
    return `${LINES.has(type) ? "\n" : ""}${inner}${cells}`;
  };
  return markupOf(blocks, 0)
    .replace(/\n{2,}/g, "\n")
    .trim();
}

function mentionOf(type: unknown, part: unknown): string | undefined {
  const textIn = (field: string) => String(fieldOf(part, field) ?? "");
  switch (type) {
    case "user":
      return `<@${textIn("user_id")}>`;
    case "channel":
      return `<#${textIn("channel_id")}>`;
    case "usergroup":
      return `<!subteam^${textIn("usergroup_id")}>`;
    case "broadcast":
      return `<!${textIn("range")}>`;
    case "emoji":
      return `:${textIn("name")}:`;
    case "link": {
      const text = fieldOf(part, "text");
      return typeof text === "string" ? `<${textIn("url")}|${escapeText(text)}>` : `<${textIn("url")}>`;
    }
    default:
      return undefined;
  }
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
