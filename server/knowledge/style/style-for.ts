import type { OwnersStyle, StyleGroup } from "#contract/quality.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { detectAddress } from "./contact-address.ts";

interface StyleReader {
  /** Key of the measured group; of a contact whom the owner never wrote to there is none. */
  styleGroup?: string | null | undefined;
  /** As the owner has ordered. */
  address?: Address | null | undefined;
  message: string;
  history: readonly HistoryTurn[];
}

/**
 * Those to whom the owner writes as to this contact: their own group unless the owner has ordered another address, else the largest group
 * with the address that is ordered or heard in the conversation; null: the overall style applies.
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
