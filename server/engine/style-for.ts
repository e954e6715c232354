import type { OwnersStyle, StyleProfile } from "#contract/quality.ts";
import type { Address } from "./address.ts";
import { heardAddress } from "./contact-address.ts";
import type { HistoryTurn } from "./generators/generator.ts";

export interface StyleReader {
  /** Key of the measured group; of a contact whom the owner never wrote to there is none. */
  styleGroup?: string | null | undefined;
  /** As the owner has ordered. */
  address?: Address | null | undefined;
  message: string;
  history: readonly HistoryTurn[];
}

/**
 * The manner in which this contact is written to: of their own group unless the owner has ordered another address, else of the
 * largest group with the address that is ordered or heard in the talk, else of everybody.
 */
export function styleFor(style: OwnersStyle, { styleGroup, address, message, history }: StyleReader): StyleProfile {
  const { groups = [] } = style;
  const own = groups.find(({ key }) => key === styleGroup);
  if (own !== undefined && (own.address === null || (address ?? own.address) === own.address)) return own.profile;
  const wanted = address ?? heardAddress(history, message);
  return groups.find((group) => wanted !== null && group.address === wanted)?.profile ?? style;
}
