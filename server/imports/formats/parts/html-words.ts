import { type HTMLElement, type Node, NodeType } from "node-html-parser";

/** Returns a message's text as its author wrote it: `<br>` becomes a line break, and pictures of emoji become the emoji. */
export function wordsOf(element: HTMLElement): string {
  let text = "";
  // The walk has its own stack, because markup may be deeper than the call stack.
  const stack: Node[] = [element];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeType === NodeType.TEXT_NODE) text += node.text.replace(/[\r\n\t ]+/g, " ");
    else if (node.nodeType === NodeType.ELEMENT_NODE) {
      const { rawTagName, attributes, childNodes } = node as HTMLElement;
      const tag = (rawTagName ?? "").toLowerCase();
      if (tag === "br") text += "\n";
      else if (tag === "img") text += attributes.alt ?? "";
      else if (tag !== "script" && tag !== "style")
        for (let at = childNodes.length; at--; ) stack.push(childNodes[at]!);
    }
  }
  return text.replace(/(?<! ) *\n */g, "\n").trim();
}
