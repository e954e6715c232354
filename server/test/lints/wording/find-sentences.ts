/** Every Russian text in the program's sources: string literals, templates with «{}» in the place of values, and the text of screens. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { programFiles, ROOT } from "../expressions/find-expressions.ts";

export interface Sentence {
  file: string;
  line: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** What a reader sees of JSX's own escapes. */
const shown = (text: string): string => text.replaceAll("&nbsp;", "\u00a0").replace(/\s*\n\s*/g, " ");

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "JSXText") return shown(String(node.value));
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node.quasis as { value: { cooked: string | null; raw: string } }[];
  return quasis.map(({ value }) => value.cooked ?? value.raw).join("{}");
}

/** @param file names the place and says by its ending what `code` is written in */
export function sentencesOf(file: string, code: string): Sentence[] {
  const found: Sentence[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (!isNode(value)) return;
    const text = textOf(value);
    if (text !== undefined && /[а-яё]/i.test(text)) {
      found.push({ file, line: code.slice(0, value.start).split("\n").length, text: text.trim() });
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(file, code, {}).program);
  return found;
}

/** Folders whose Russian words are the program's data and never shown on a screen. */
const WORD_LISTS =
  /^server\/(?:knowledge\/(?!facts\/|public-replies\/open-replies\.ts)|answers\/(?:fidelity|output-guard|replies|training)\/|demo\/(?:content|workspace)\/|imports\/formats\/|inbox\/(?:answering\/escalation-policy|channels\/email\/(?:automatic|parsing)|channel-protocol\/opt-out))|^web\/landing\/demo-scripts/;

export const allSentences = (): Sentence[] =>
  programFiles()
    .filter((file) => !WORD_LISTS.test(file))
    .flatMap((file) => sentencesOf(file, readFileSync(join(ROOT, file), "utf8")));
