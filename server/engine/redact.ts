/**
 * Phones, e-mails, cards, ИНН, СНИЛС and secrets become placeholders before a foreign model reads them, and become
 * themselves again in what it answers. Reversible with the vault of the same call or conversation only.
 */
import { randomBytes } from "node:crypto";

type Kind = "EMAIL" | "PHONE" | "CARD" | "INN" | "SNILS" | "TOKEN";

/** What was taken out; plain data, may be kept with a conversation. */
export interface Vault {
  /** Unguessable: nobody can write a placeholder into a message and have it restored. */
  tag: string;
  /** Placeholder to value. */
  values: Record<string, string>;
}

/** @param tag only tests give one. */
export function createVault(tag: string = randomBytes(3).toString("hex")): Vault {
  return { tag, values: {} };
}

interface Rule {
  kind: Kind;
  pattern: RegExp;
  holds?: (found: string) => boolean;
  /** A text without it is not searched. */
  needs?: string;
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

const CARD = /(?<![\d.,])\d(?:[ -]?\d){12,18}(?!\d)/g;

// In this order: what a longer rule has taken is a placeholder for those after it.
const RULES: Rule[] = [
  { kind: "TOKEN", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g },
  { kind: "TOKEN", pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: "TOKEN",
    pattern:
      /(?<![\p{L}\p{N}_-])(?:sk|pk|rk)[-_][\w-]{16,}|\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|y0_[\w-]{20,}|EAA[A-Za-z0-9]{30,}|hf_\w{20,}|npm_\w{20,})/gu,
  },
  { kind: "TOKEN", pattern: /\b\d{6,12}:[A-Za-z0-9_-]{30,}/g },
  { kind: "TOKEN", pattern: /(?<=\bBearer\s+)[\w.~+/=-]{16,}/gi },
  {
    kind: "TOKEN",
    pattern: /\b[A-Za-z0-9_-]{32,}\b/g,
    holds: (found) => /\d/.test(found) && /[A-Za-z]/.test(found) && !/[a-z]{12,}/i.test(found),
  },
  {
    kind: "EMAIL",
    pattern: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
    needs: "@",
  },
  { kind: "CARD", pattern: CARD, holds: (found) => luhn(digitsOf(found)) },
  {
    kind: "SNILS",
    pattern: /(?<!\d)\d{3}[ -]?\d{3}[ -]?\d{3}[ -]?\d{2}(?!\d)/g,
    holds: (found) => snils(digitsOf(found)) && !/^[78]9/.test(found),
  },
  {
    kind: "PHONE",
    pattern:
      /(?<![\p{L}\p{N}+])(?:\+\d{1,3}|8)[\s(-]{0,3}\d{3,4}[\s)-]{0,3}\d{2,3}[\s-]?\d{2}[\s-]?\d{2,3}(?![\p{L}\p{N}])/gu,
  },
  {
    kind: "PHONE",
    pattern:
      /(?<![\p{L}\p{N}+])(?:7\d{10}|9\d{2}[\s-]?\d{3}[\s-]\d{2}[\s-]?\d{2}|\(\d{3,4}\)\s?\d{2,3}-\d{2}-\d{2})(?![\p{L}\p{N}])/gu,
  },
  { kind: "INN", pattern: /(?<!\d)(?:\d{12}|\d{10})(?!\d)/g, holds: inn },
  { kind: "PHONE", pattern: /(?<!\d)9\d{9}(?!\d)/g },
];

/** The text with every such value replaced by `[KIND_n_tag]`; the same value has the same placeholder all along. */
export function redact(text: string, vault: Vault): string {
  // Prompts are mostly plain words: nothing to find without four digits, an @ or a long run of Latin letters.
  if (!/\d[ ()-]{0,3}\d[ ()-]{0,3}\d[ ()-]{0,3}\d|@|[\w-]{16}|PRIVATE KEY/.test(text)) return text;
  let redacted = text;
  for (const { kind, pattern, holds, needs } of RULES) {
    if (needs !== undefined && !redacted.includes(needs)) continue;
    redacted = redacted.replace(pattern, (found) =>
      found.includes(`_${vault.tag}`) || (holds !== undefined && !holds(found))
        ? found
        : placeholderOf(kind, found, vault),
    );
  }
  return redacted;
}

function placeholderOf(kind: Kind, value: string, vault: Vault): string {
  let number = 1;
  for (const [placeholder, known] of Object.entries(vault.values)) {
    if (!placeholder.startsWith(`[${kind}_`)) continue;
    if (known === value) return placeholder;
    number++;
  }
  const placeholder = `[${kind}_${number}_${vault.tag}]`;
  vault.values[placeholder] = value;
  return placeholder;
}

/** The text with its placeholders replaced by their values; a placeholder that stands for nothing disappears. */
export function restore(text: string, vault: Vault): string {
  if (!text.includes("[")) return text;
  const placeholder = new RegExp(`\\[(?:EMAIL|PHONE|CARD|INN|SNILS|TOKEN)_\\d{1,4}_${vault.tag}\\]`, "gi");
  return text.replace(placeholder, (found) => vault.values[`${found.slice(0, -8).toUpperCase()}_${vault.tag}]`] ?? "");
}

const LONGEST_PLACEHOLDER = "[EMAIL_9999_abcdef]".length;

/** `restore` for a stream: keeps back what may be the beginning of a placeholder. */
export function restoring(vault: Vault): { push(delta: string): string; end(): string } {
  let held = "";
  return {
    push(delta) {
      held += delta;
      const open = held.lastIndexOf("[");
      const partial = open >= 0 && !held.includes("]", open) && held.length - open < LONGEST_PLACEHOLDER;
      const ready = partial ? held.slice(0, open) : held;
      held = partial ? held.slice(open) : "";
      return restore(ready, vault);
    },
    end() {
      const rest = restore(held, vault);
      held = "";
      return rest;
    },
  };
}

/** Whether a payment card's number stands in the text. */
export const holdsCardNumber = (text: string): boolean =>
  (text.match(CARD) ?? []).some((found) => luhn(digitsOf(found)));

/** ISO/IEC 7812-1, annex B. */
function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

const weighed = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
const INN_10 = [2, 4, 10, 3, 5, 9, 4, 6, 8];
const INN_11 = [7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const INN_12 = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

/** Control digits of an ИНН: 10 digits of an organisation, 12 of a person. */
function inn(digits: string): boolean {
  const control = (weights: readonly number[], at: number) =>
    (weighed(digits, weights) % 11) % 10 === Number(digits[at]);
  if (/^0+$/.test(digits)) return false;
  return digits.length === 10 ? control(INN_10, 9) : control(INN_11, 10) && control(INN_12, 11);
}

/** Control number of a СНИЛС: the nine digits weighed 9..1, modulo 101, 100 as 00. */
function snils(digits: string): boolean {
  if (digits.length !== 11 || /^0+$/.test(digits)) return false;
  const sum = weighed(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101;
  return (sum === 100 ? 0 : sum) === Number(digits.slice(9));
}
