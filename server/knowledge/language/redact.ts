/**
 * Replaces phone numbers, e-mail addresses, cards, ИНН, СНИЛС, passports, accounts and secrets by placeholders before a remote model sees
 * them, and restores them in its answer. Only the vault of the same call or conversation can restore them.
 */
import { randomBytes } from "node:crypto";
import { SECRET_PATTERNS } from "#server/platform/secrets/secret-patterns.ts";

type Kind = "EMAIL" | "PHONE" | "CARD" | "INN" | "SNILS" | "PASSPORT" | "IBAN" | "TOKEN";

/** The replaced values; plain data that can be stored with a conversation. */
interface Vault {
  /** Random, so that nobody can write a placeholder into a message and have it restored. */
  tag: string;
  values: Record<string, string>;
}

/** @param tag given only by tests */
export function createVault(tag: string = randomBytes(3).toString("hex")): Vault {
  return { tag, values: {} };
}

interface Rule {
  kind: Kind;
  pattern: RegExp;
  holds?: (found: string) => boolean;
  /** A text without this string is not searched, which is faster. */
  needs?: string;
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

const CARD = /(?<![\d.,])\d(?:[ -]?\d){12,18}(?!\d)/g;

const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu;
/** International numbers: «+49 30 1234567», «0044 20 7946 0958»; but not a sum of money with a plus sign. */
const ABROAD =
  /(?<![\p{L}\p{N}+.,:])(?:\+|00)[1-9](?:[\s().-]{0,2}\d){8,14}(?![\p{L}\p{N}])(?!\s{0,2}(?:₽|руб|р\.|\$|€|%|тыс|млн|млрд|долл|евро))/giu;

// Order matters: later rules see the placeholders of earlier ones.
const RULES: Rule[] = [
  ...SECRET_PATTERNS.map((pattern): Rule => ({ kind: "TOKEN", pattern })),
  { kind: "IBAN", pattern: IBAN, holds: iban },
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
  {
    kind: "PASSPORT",
    pattern:
      /(?<=(?:паспорт|серия|сер\.)\p{L}{0,10}[^\d\n]{0,25})(?:\d{2}\s?\d{2}[\s,;]{0,3}(?:номер|ном\.|№|N)?[\s:]{0,3}\d{6}|\d{2}[\s№]{0,3}\d{7})(?!\d)/giu,
  },
  {
    kind: "PASSPORT",
    pattern: /(?<![\d.,])(?:\d{2} \d{2}|\d{4}) ?(?:№|N) ?\d{6}(?!\d)|(?<![\d.,] ?)\d{2} \d{2} \d{6}(?! ?\d)/gu,
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
  { kind: "PHONE", pattern: ABROAD, holds: (found) => international(digitsOf(found)) },
  {
    kind: "PHONE",
    pattern:
      /(?<![\p{L}\p{N}+])(?:7\d{10}|9\d{2}[\s-]?\d{3}[\s-]\d{2}[\s-]?\d{2}|\(\d{3,4}\)\s?\d{2,3}-\d{2}-\d{2})(?![\p{L}\p{N}])/gu,
  },
  { kind: "INN", pattern: /(?<!\d)(?:\d{12}|\d{10})(?!\d)/g, holds: inn },
  { kind: "PHONE", pattern: /(?<!\d)9\d{9}(?!\d)/g },
];

/** Replaces values by `[KIND_n_tag]`; equal values get the same placeholder. */
export function redact(text: string, vault: Vault): string {
  // Most prompts contain only plain words, and nothing is found without four digits, an @ or a long run of Latin letters.
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

/** Replaces placeholders with their values; unknown placeholders are removed. */
export function restore(text: string, vault: Vault): string {
  if (!text.includes("[")) return text;
  const placeholder = new RegExp(
    `\\[(?:EMAIL|PHONE|CARD|INN|SNILS|PASSPORT|IBAN|TOKEN)_\\d{1,4}_${vault.tag}\\]`,
    "gi",
  );
  return text.replace(placeholder, (found) => vault.values[`${found.slice(0, -8).toUpperCase()}_${vault.tag}]`] ?? "");
}

const LONGEST_PLACEHOLDER = "[PASSPORT_9999_abcdef]".length;

/** `restore` for a stream; holds back text that may be the start of a placeholder. */
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

/** RFC 9562. UUIDs are often identifiers of orders or payments, and one in a thousand contains digits that pass as a card's. */
const UUID = /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/gi;

export const holdsCardNumber = (text: string): boolean =>
  (text.replace(UUID, " ").match(CARD) ?? []).some((found) => luhn(digitsOf(found)));

/** Checks an IBAN (ISO 13616-1): with the first four characters moved to the end and letters as numbers from 10, modulo 97 is 1. */
function iban(found: string): boolean {
  const bare = found.replaceAll(" ", "");
  if (bare.length < 15 || bare.length > 34) return false;
  let rest = 0;
  for (const char of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Two-digit country codes (ITU-T E.164); 1 and 7 have one digit, all others three. */
const TWO_DIGITS = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Whether the digits, with or without a leading 00, are an international phone number: E.164 allows up to fifteen digits. */
function international(digits: string): boolean {
  const number = digits.startsWith("00") ? digits.slice(2) : digits;
  if (number.length > 15) return false;
  if (number.startsWith("1")) return /^1[2-9]\d{2}[2-9]\d{6}$/.test(number);
  if (number.startsWith("7")) return /^7[3-9]\d{9}$/.test(number);
  return number.length >= (TWO_DIGITS.test(number) ? 10 : 9) && !/0{5}$/.test(number);
}

/** Luhn check (ISO/IEC 7812-1, annex B). */
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

/** Checks the control digits of an ИНН: 10 digits for an organisation, 12 for a person. */
function inn(digits: string): boolean {
  const control = (weights: readonly number[], at: number) =>
    (weighed(digits, weights) % 11) % 10 === Number(digits[at]);
  if (/^0+$/.test(digits)) return false;
  return digits.length === 10 ? control(INN_10, 9) : control(INN_11, 10) && control(INN_12, 11);
}

/** Checks the control number of a СНИЛС: nine digits weighted 9..1, modulo 101, 100 as 00. */
function snils(digits: string): boolean {
  if (digits.length !== 11 || /^0+$/.test(digits)) return false;
  const sum = weighed(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101;
  return (sum === 100 ? 0 : sum) === Number(digits.slice(9));
}
