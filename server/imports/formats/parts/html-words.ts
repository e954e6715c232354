import { type HTMLElement, type Node, NodeType } from "node-html-parser";

/**
 * Returns a message's text as its author wrote it: `<br>` becomes a line break, and pictures of emoji become the emoji.
 * @param targets whether a link's target follows its words
 */
export function wordsOf(element: HTMLElement, { targets = false } = {}): string {
  let text = "";
  // The walk has its own stack, because markup may be deeper than the call stack.
  const stack: (Node | string)[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === "string") text += node;
    else if (node.nodeType === NodeType.TEXT_NODE) text += node.text.replace(/[\r\n\t ]+/g, " ");
    else if (node.nodeType === NodeType.ELEMENT_NODE) {
      const { rawTagName, attributes, childNodes } = node as HTMLElement;
      const tag = (rawTagName ?? "").toLowerCase();
      if (tag === "br") text += "\n";
      else if (tag === "img") text += attributes.alt ?? "";
      else if (tag !== "script" && tag !== "style") {
        if (targets && tag === "a") stack.push(targetBehind(node.text, attributes.href));
        for (let at = childNodes.length; at--; ) stack.push(childNodes[at]!);
      }
    }
  }
  return text.replace(/(?<! ) *\n */g, "\n").trim();
}

/** Returns a link's target as it follows the link's words; "" when the words give it away. */
export function targetBehind(words: string, target: unknown): string {
  if (typeof target !== "string" || !/^https?:/i.test(target)) return "";
  const bare = (address: string) =>
    address
      .trim()
      .replace(/^https?:\/\/(?:www\.)?/i, "")
      .replace(/\/$/, "");
  return bare(words) === bare(target) ? "" : ` (${target})`;
}
