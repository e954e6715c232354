import type { Twin } from "#contract/twins.ts";

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Counts for the stat cards; `thisMonth` are the twins created in the last 30 days before `now` (milliseconds). */
export function twinFigures(twins: readonly Pick<Twin, "isActive" | "createdAt">[], now: number) {
  const active = twins.filter((twin) => twin.isActive).length;
  return {
    total: twins.length,
    active,
    inactive: twins.length - active,
    thisMonth: twins.filter((twin) => now - Date.parse(twin.createdAt) <= MONTH_MS).length,
  };
}

/** Returns twins whose name or description contains every word of the query, in any order; «ё» equals «е». */
export function findTwins<T extends Pick<Twin, "name" | "description">>(twins: readonly T[], query: string): T[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  return twins.filter((twin) => {
    const text = plain(`${twin.name} ${twin.description}`);
    return words.every((word) => text.includes(word));
  });
}

const plain = (text: string) => text.toLocaleLowerCase("ru-RU").replaceAll("ё", "е");
