/** Finds variables that are no settings but nearly spelt like one: a misspelt setting would be ignored without a word. */

export interface Misspelt {
  given: string;
  meant: string;
}

/** Number of single letters that may differ: a name shorter than `LONG` has many neighbours of other programs. */
const FAULTS = { short: 1, long: 2 };
const LONG = 10;
const SHORTEST = 6;

/** @param settings names of all settings */
export function misspeltSettings(
  environment: Record<string, string | undefined>,
  settings: readonly string[],
): Misspelt[] {
  const known = new Set(settings.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(environment).flatMap((given) => {
    if (known.has(given) || given.length < SHORTEST || !/^[A-Za-z][A-Za-z0-9_]*$/.test(given)) return [];
    const name = given.toUpperCase();
    const allowed = name.length < LONG ? FAULTS.short : FAULTS.long;
    const nearest = [...known]
      .filter((setting) => Math.abs(setting.length - name.length) <= allowed)
      .map((meant) => ({ meant, faults: faultsBetween(name, meant) }))
      .toSorted((a, b) => a.faults - b.faults)[0];
    return nearest !== undefined && nearest.faults <= allowed ? [{ given, meant: nearest.meant }] : [];
  });
}

/** Counts missing, surplus, wrong and swapped letters (optimal string alignment). */
function faultsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, place) => place)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const wrong = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + wrong);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
