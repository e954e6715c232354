/** Compares what proves that a result concerns the asker with the result itself. Code alone decides it. */
import type { ToolProof } from "#contract/actions/tools.ts";
import { samePhone } from "./stated-values.ts";

/** Reads a column or a place of the result; null: there is none. */
export type ReadSource = (source: string) => string | null;

export interface Claim {
  /** The phone of the channel, which the platform vouches for; null: unknown. */
  phone: string | null;
  /** What the asker has named, in the order of `proof.asked`; null: not named. */
  named: readonly (string | null)[];
}

/** Whether the asker may prove it at all with what he has named so far. */
export function canProve(proof: ToolProof, { phone, named }: Claim): boolean {
  if (proof.everybody || (proof.channelPhone !== null && phone !== null)) return true;
  return proof.asked.length > 0 && proof.asked.every((_, at) => named[at] != null);
}

export function isProven(proof: ToolProof, { phone, named }: Claim, read: ReadSource): boolean {
  if (proof.everybody) return true;
  if (proof.channelPhone !== null && phone !== null) {
    const stored = read(proof.channelPhone);
    if (stored !== null && samePhone(stored, phone)) return true;
  }
  return (
    proof.asked.length > 0 &&
    proof.asked.every(({ source, compare }, at) => {
      const [stored, given] = [read(source), named[at]];
      return stored !== null && given != null && agrees(compare, stored, given);
    })
  );
}

function agrees(compare: ToolProof["asked"][number]["compare"], stored: string, given: string): boolean {
  switch (compare) {
    case "phone":
      return samePhone(stored, given);
    case "last4": {
      const [last, named] = [digitsOf(stored).slice(-4), digitsOf(given)];
      return (
        last.length === 4 &&
        named.length >= 4 &&
        named.slice(-4) === last &&
        digitsOf(stored).endsWith(named.slice(-10))
      );
    }
    case "exact": {
      const [one, other] = [loose(stored), loose(given)];
      return one !== "" && one === other;
    }
  }
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");
const loose = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^\p{L}\p{N}]+/gu, "");
