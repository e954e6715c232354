/** Extracts links and crawler rules from a page or sitemap. Both are untrusted, so this runs in a sandboxed process. */
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { tooLarge, unsupported } from "#server/platform/errors.ts";
import { decodeText } from "./decode-text.ts";
import { htmlText, withoutDeclarations } from "./html-text.ts";

export interface PageFacts {
  text: string;
  title?: string;
  /** Links exactly as the page writes them, possibly relative. */
  links: string[];
  base?: string;
  /** Content of `<meta name="robots">` and of the same element with this reader's name. */
  robots: string;
}

const MAX_LINKS = 2000;
const TAG = /<(a|area|base|meta)\b([^<>]{0,4000})>/gi;

/** @param html whether it is a page, or plain text @throws Problem 413, 415, 422 */
export function pageFactsOf(bytes: Buffer, html: boolean, robot: string): PageFacts {
  const content = decodeText(bytes);
  if (content === null) throw unsupported("document_type_unsupported", "Это не текст");
  const facts = html ? factsOfPage(content, robot) : { text: content, links: [], robots: "" };
  const text = facts.text.toWellFormed().trim();
  if (text.length > MAX_DOCUMENT_CHARS) throw tooLarge("document_too_large", "Страница длиннее 500 000 символов");
  return { ...facts, text };
}

function factsOfPage(html: string, robot: string): PageFacts {
  const { text, title } = htmlText(html);
  const facts: PageFacts = { text, links: [], robots: "", ...(title === undefined ? {} : { title }) };
  const code = withoutDeclarations(html).replace(/<(script|style)\b[^<>]*>[^<]*/gi, "<$1>");
  for (const [, tag, inside = ""] of code.matchAll(TAG)) {
    const attributes = attributesOf(inside);
    const rel = ` ${attributes.get("rel") ?? ""} `.toLowerCase();
    const href = attributes.get("href");
    switch (tag!.toLowerCase()) {
      case "meta": {
        const name = (attributes.get("name") ?? "").toLowerCase();
        if (name === "robots" || name === robot.toLowerCase()) facts.robots += `,${attributes.get("content") ?? ""}`;
        break;
      }
      case "base":
        if (href !== undefined) facts.base ??= href;
        break;
      default:
        if (href !== undefined && !rel.includes(" nofollow ") && facts.links.length < MAX_LINKS) facts.links.push(href);
    }
  }
  return facts;
}

/** Of a repeated attribute the first value counts; names are in lower case. */
function attributesOf(inside: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single, bare] of inside.matchAll(
    /([a-z-]{1,20})\s{0,9}=\s{0,9}(?:"([^"]{0,2100})"|'([^']{0,2100})'|([^\s"'>]{1,2100}))/gi,
  )) {
    const key = name!.toLowerCase();
    if (!found.has(key)) found.set(key, unescaped(double ?? single ?? bare ?? "").trim());
  }
  return found;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#38": "&", "#x26": "&" };

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#38|#x26);/gi, (_all, name: string) => ENTITIES[name.toLowerCase()]!);

export function sitemapLinks(xml: string): { links: string[]; isIndex: boolean } {
  const links: string[] = [];
  for (const [, link] of xml.matchAll(/<loc>([^<]{1,2100})<\/loc>/gi)) {
    if (links.length < MAX_LINKS) links.push(unescaped(link!).trim());
  }
  return { links, isIndex: /<sitemapindex\b/i.test(xml.slice(0, 4000)) };
}
