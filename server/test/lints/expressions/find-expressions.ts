/** Every regular expression of a program: literals as they stand, and places where one is built while it runs. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "vite";

export const ROOT = resolve(import.meta.dirname, "../../../..");

export interface Expression {
  source: string;
  flags: string;
  /** «server/a.ts:12» */
  place: string;
}

interface Construction {
  place: string;
  /** Within a function: it is not built by importing the module. */
  nested: boolean;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Paths of the program's own files, tests left out. */
export const programFiles = (): string[] =>
  ["server", "contract", "web"]
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$|^server\/test\//.test(file))
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

export function expressionsIn(file: string): { literals: Expression[]; constructions: Construction[] } {
  const code = readFileSync(join(ROOT, file), "utf8");
  const literals: Expression[] = [];
  const constructions: Construction[] = [];
  const placeOf = (node: Node) => `${file}:${code.slice(0, node.start).split("\n").length}`;
  const visit = (value: unknown, nested: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, nested);
      return;
    }
    if (!isNode(value)) return;
    const { regex, callee } = value as Node & { regex?: { pattern: string; flags: string }; callee?: Node };
    if (regex) literals.push({ source: regex.pattern, flags: regex.flags, place: placeOf(value) });
    const builds = value.type === "NewExpression" || value.type === "CallExpression";
    if (builds && callee?.type === "Identifier" && callee.name === "RegExp") {
      constructions.push({ place: placeOf(value), nested });
    }
    const within = nested || /Function/.test(value.type);
    for (const [key, child] of Object.entries(value)) if (key !== "regex" && key !== "value") visit(child, within);
    if (value.type !== "Literal") visit(value.value, within);
  };
  visit(parseSync(file, code, {}).program, false);
  return { literals, constructions };
}

/**
 * What `work` builds while it runs, by the place that builds it. Literals do not pass here.
 * @param work imports modules that were not imported before
 */
export async function builtBy(work: () => Promise<unknown>): Promise<Expression[]> {
  const built: Expression[] = [];
  const original = globalThis.RegExp;
  const note = (args: unknown[]) => {
    const made = Reflect.construct(original, args) as RegExp;
    const place = callerIn(new Error().stack ?? "");
    if (place !== null) built.push({ source: made.source, flags: made.flags, place });
    return made;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (_target, args) => note(args),
    apply: (_target, _this, args) => note(args),
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

/** The first line of a stack that stands in the program itself; by index, for expressions are being watched. */
function callerIn(stack: string): string | null {
  for (const line of stack.split("\n")) {
    const root = line.indexOf(`${ROOT}/`);
    if (root < 0 || line.includes("node_modules") || line.includes("/server/test/")) continue;
    const [file = "", row = ""] = line.slice(root + ROOT.length + 1).split(":");
    const path = file.split("?")[0]!;
    if (path.endsWith(".ts") || path.endsWith(".tsx")) return `${path}:${row}`;
  }
  return null;
}
