import type { OwnersStyle, StyleGroup } from "#contract/quality.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { detectAddress } from "./contact-address.ts";

interface StyleReader {
  /** Key of the measured group; absent for a contact to whom the owner never wrote. */
  styleGroup?: string | null | undefined;
  address?: Address | null | undefined;
  message: string;
  history: readonly HistoryTurn[];
}

/**
 * Returns the contact's own group, unless the owner has set another form of address. Otherwise it returns the largest group with the form
 * set or used in the conversation; null: the overall style applies.
 */
export function groupFor(
  style: OwnersStyle,
  { styleGroup, address, message, history }: StyleReader,
): StyleGroup | null {
  const { groups = [] } = style;
  const own = groups.find(({ key }) => key === styleGroup);
  if (own !== undefined && (own.address === null || (address ?? own.address) === own.address)) return own;
  const wanted = address ?? detectAddress(history, message);
  return groups.find((group) => wanted !== null && group.address === wanted) ?? null;
}
