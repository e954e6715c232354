/**
 * Texts on which an expression is slow if it is slow at all: made of its own parts. Wherever something repeats without a bound,
 * what leads there and what repeats is said again and again, and then comes what does not fit.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { Expression } from "./find-expressions.ts";

/** A repetition of so many is as good as one without an end. */
const BOUNDLESS = 1000;
const CANDIDATES = [..." aя1.-_:;,!?<>()[]{}\"'/\\@#*+=|&%~`^$«»—…№AЯ\n\t\r\u00a0\u200e"];
const MAX_UNITS = 3;
const MAX_TEXTS = 40;
/** No expression asks for it. */
const MISFIT = "\u0001";

/** Units to be repeated, each between what stands before and behind them. */
interface Pump {
  before: string;
  unit: string;
  behind: string;
}

export function pumpsOf({ source, flags }: Expression): Pump[] {
  const unicode = flags.includes("u");
  const sets = flags.includes("v");
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode,
    unicodeSets: sets,
  });
  const matcher = (node: AST.Element): ((char: string) => boolean) => {
    const one = new RegExp(`^(?:${node.raw})$`, flags.replaceAll(/[gy]/g, ""));
    return (char) => one.test(char);
  };
  const any = () => true;

  /** Some text that the element takes, of characters that are preferred where there is a choice. */
  function sample(node: AST.Element | AST.Alternative | AST.Pattern, prefers: (char: string) => boolean): string {
    switch (node.type) {
      case "Pattern":
      case "Group":
      case "CapturingGroup": {
        const texts = node.alternatives.map((each) => sample(each, prefers));
        return texts.find((text) => text !== "" && [...text].every(prefers)) ?? texts[0]!;
      }
      case "Alternative":
        return node.elements.map((each) => sample(each, prefers)).join("");
      case "Quantifier":
        return sample(node.element, prefers).repeat(Math.min(Math.max(node.min, 0), 20));
      case "Character":
        return String.fromCodePoint(node.value);
      case "CharacterClass":
      case "CharacterSet": {
        const takes = matcher(node);
        const fitting = CANDIDATES.filter(takes);
        return fitting.find(prefers) ?? fitting[0] ?? "";
      }
      default:
        return "";
    }
  }

  type Text = (prefers: (char: string) => boolean) => string;
  const nothing: Text = () => "";
  const pumps: Pump[] = [];

  function walk(node: AST.Element | AST.Alternative | AST.Pattern, before: Text, after: Text): void {
    if (node.type === "Quantifier") {
      walk(node.element, before, after);
      if (node.max >= BOUNDLESS) pump(node, before, after);
    } else if (node.type === "Alternative") {
      for (const [at, each] of node.elements.entries()) {
        const joined = (from: number, to?: number): Text => {
          const part = node.elements.slice(from, to);
          return (prefers) => part.map((one) => sample(one, prefers)).join("");
        };
        const led: Text = (prefers) => before(prefers) + joined(0, at)(prefers);
        walk(each, led, (prefers) => joined(at + 1)(prefers) + after(prefers));
      }
    } else if ("alternatives" in node) for (const each of node.alternatives) walk(each, before, after);
  }

  function pump(node: AST.Quantifier, before: Text, after: Text): void {
    const single = node.element.type === "CharacterClass" || node.element.type === "CharacterSet";
    const takes = single ? matcher(node.element) : any;
    const units = single ? CANDIDATES.filter(takes).slice(0, MAX_UNITS) : [sample(node.element, any)];
    const lead = before(takes);
    // What would end it, but for its last character.
    const almost = after(any).slice(0, -1);
    for (const behind of new Set(["", MISFIT, `${almost}${MISFIT}`])) {
      for (const unit of units) {
        pumps.push({ before: "", unit: lead + unit, behind });
        pumps.push({ before: lead, unit, behind });
      }
      if (lead !== "") pumps.push({ before: "", unit: lead, behind });
    }
  }

  walk(pattern, nothing, nothing);
  const texts = new Map(pumps.filter(({ unit }) => unit !== "").map((pump) => [JSON.stringify(pump), pump]));
  return [...texts.values()].slice(0, MAX_TEXTS);
}

/** At least so many characters. */
export const pumped = ({ before, unit, behind }: Pump, chars: number): string =>
  before + unit.repeat(Math.ceil(chars / unit.length)) + behind;
