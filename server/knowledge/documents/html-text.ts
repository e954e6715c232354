import { type HTMLElement, type Node, NodeType, parse } from "node-html-parser";
import { unprocessable } from "#server/platform/errors.ts";

const DROPPED = new Set(
  "script style nav noscript template svg math iframe object embed canvas audio video head select textarea dialog".split(
    " ",
  ),
);
const PARAGRAPHS = new Set("p blockquote pre table ul ol dl figure hr article section main".split(" "));
const LINES = new Set(
  "div tr dt dd header footer aside address figcaption caption form fieldset details summary body html".split(" "),
);
/** Elements that are closed implicitly, so that a sequence of them does not count as nesting. */
const UNNESTED = new Set("p li td th br hr img input meta link area base col source track wbr".split(" "));
/** Placeholder of a line break requested by an element; tidy() replaces it. */
const LINE = "\ue000";
const PARAGRAPH = "\ue001";
/** Maximum nesting depth. Real pages stay below 60, and the parser's time per element grows with the depth. */
const MAX_DEPTH = 256;

type Step = { node: Node; before: HTMLElement | null } | { put: string } | { leaveCell: true };

/**
 * Converts a page to plain text: headings as «# …», list items as «- …», table rows as «a | b»; without navigation, scripts, styles and
 * hidden elements. What a click on the heading or button above opens is not hidden: left out, it would let the text below answer the wrong
 * question. `title` is the page's own. Throws `unprocessable` for excessive nesting.
 */
export function htmlText(html: string): { text: string; title?: string } {
  const clean = withoutDeclarations(html);
  if (isTooDeep(clean)) throw unprocessable("document_damaged", "HTML слишком глубоко вложен: такой файл не прочитать");
  const root = parse(clean, { comment: false });
  const title = oneLine(root.querySelector("title")?.text ?? "");
  const out: string[] = [];
  const controlled = new Set(
    [...clean.matchAll(/aria-controls\s*=\s*(?:["']([^"'<>]{1,200})|([^\s"'<>]{1,200}))/gi)].flatMap(([, ids, id]) =>
      (ids ?? id ?? "").split(/\s+/),
    ),
  );
  // Uses an explicit stack, because pages may be nested deeper than the call stack. Strings are text to add after a node's children.
  const stack: Step[] = [{ node: root, before: null }];
  let cells = 0;
  let level = 1;
  const gap = (mark: string): string => (cells > 0 ? " " : mark);
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ("put" in next) out.push(next.put);
    else if ("leaveCell" in next) cells--;
    else if (next.node.nodeType === NodeType.TEXT_NODE) {
      const { node } = next;
      out.push(isInPre(node) ? node.text : node.text.replace(/[\s\ue000\ue001]+/g, " "));
    } else if (next.node.nodeType === NodeType.ELEMENT_NODE) {
      const element = next.node as HTMLElement;
      const tag = tagOf(element);
      if (DROPPED.has(tag) || (isHidden(element) && !isOpenedByClick(element, next.before, controlled))) continue;
      const heading = headingLevel(element, level);
      if (tag === "button" && heading === null && !HEADINGS.has(tagOf(element.parentNode))) continue;
      if (heading !== null) {
        level = heading;
        stack.push({ put: gap(PARAGRAPH) });
      } else if (PARAGRAPHS.has(tag)) stack.push({ put: gap(PARAGRAPH) });
      else if (LINES.has(tag) || tag === "li") stack.push({ put: gap(LINE) });
      else if (tag === "td" || tag === "th") {
        stack.push({ put: cells > 0 ? " " : " | " }, { leaveCell: true });
      }
      // One by one: a call takes fewer arguments than an element may have children.
      for (const step of childSteps(element).reverse()) stack.push(step);
      if (heading !== null) out.push(gap(PARAGRAPH), `${"#".repeat(heading)} `);
      else if (PARAGRAPHS.has(tag)) out.push(gap(PARAGRAPH));
      else if (tag === "li") out.push(gap(LINE), "- ");
      else if (LINES.has(tag)) out.push(gap(LINE));
      else if (tag === "br") out.push(gap("\n"));
      else if (tag === "td" || tag === "th") cells++;
    }
  }
  const text = tidy(out.join(""));
  return title === "" ? { text } : { text, title };
}

const tagOf = (element: HTMLElement | null): string => (element?.rawTagName ?? "").toLowerCase();

/** Pairs each child with the element before it. */
function childSteps(element: HTMLElement): { node: Node; before: HTMLElement | null }[] {
  let before: HTMLElement | null = null;
  return element.childNodes.map((node) => {
    const step = { node, before };
    if (node.nodeType === NodeType.ELEMENT_NODE) before = node as HTMLElement;
    return step;
  });
}

const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt"]);

/**
 * Returns the level of a heading; null for any other element. A button that opens a part of the page, or asks a question, heads what stands
 * below it, at the level of the heading before.
 */
function headingLevel(element: HTMLElement, level: number): number | null {
  const tag = tagOf(element);
  const [, own] = /^h([1-6])$/.exec(tag) ?? [];
  if (own !== undefined) return Number(own);
  if (tag !== "button" || HEADINGS.has(tagOf(element.parentNode))) return null;
  return opensPart(element) || /[?？]\s*$/.test(element.text) ? Math.max(2, level) : null;
}

const opensPart = (element: HTMLElement): boolean => /(?:^|\s)aria-(?:expanded|controls)\s*=/i.test(element.rawAttrs);

function isHidden(element: HTMLElement): boolean {
  const { rawAttrs } = element;
  if (!rawAttrs) return false;
  return (
    /(?:^|\s)hidden(?:\s|=|$)/i.test(rawAttrs) ||
    /aria-hidden\s*=\s*["']?true/i.test(rawAttrs) ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(rawAttrs)
  );
}

/** Whether a hidden part is an answer of an accordion or the panel of a tab. */
function isOpenedByClick(element: HTMLElement, before: HTMLElement | null, controlled: ReadonlySet<string>): boolean {
  const { rawAttrs, id } = element;
  if (/(?:^|\s)hidden\s*=\s*["']?until-found/i.test(rawAttrs)) return true;
  if (/(?:^|\s)role\s*=\s*["']?tabpanel/i.test(rawAttrs) || (id !== "" && controlled.has(id))) return true;
  if (before === null) return false;
  const last = before.childNodes.findLast((node) => node.nodeType === NodeType.ELEMENT_NODE) as HTMLElement | undefined;
  return HEADINGS.has(tagOf(before)) || opensPart(before) || (last !== undefined && opensPart(last));
}

function isInPre(node: Node): boolean {
  return node.parentNode?.rawTagName?.toLowerCase() === "pre";
}

function tidy(text: string): string {
  return text
    .replace(/[\s\ue000\ue001]+/g, (run) => {
      if (run.includes(PARAGRAPH)) return "\n\n";
      return run.includes(LINE) ? "\n" : (run.match(/\n/g)?.slice(0, 2).join("") ?? " ");
    })
    .replace(/ \|(?=\n|$)/g, "")
    .replace(/^-\n+(?![-#])/gm, "- ")
    .replace(/^(?:-|#{1,6})$\n?/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 300).toWellFormed();
}

/**
 * Removes comments, doctype and processing instructions in one pass, because the parser searches for each one's end repeatedly. One
 * without an end swallows the rest.
 */
export function withoutDeclarations(html: string): string {
  let clean = "";
  let at = 0;
  for (const { index } of html.matchAll(/<[!?]/g)) {
    if (index < at) continue;
    clean += html.slice(at, index);
    const mark = html.startsWith("<!--", index) ? "-->" : ">";
    const end = html.indexOf(mark, index + 2);
    if (end < 0) return clean;
    at = end + mark.length;
  }
  return clean + html.slice(at);
}

function isTooDeep(html: string): boolean {
  const open = new Map<string, number>();
  let depth = 0;
  for (const [, slash, tag] of html
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, "<$1>")
    .matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = tag!.toLowerCase();
    if (UNNESTED.has(name)) continue;
    const already = open.get(name) ?? 0;
    // An end tag without a start tag closes nothing.
    if (slash && already === 0) continue;
    open.set(name, already + (slash ? -1 : 1));
    depth += slash ? -1 : 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
