import * as z from "zod/mini";

/** Maximum length before trimming: pasted white space is accepted, but not in any amount. */
const RAW = 4000;

/** Schema of search words: trims white space, collapses it to single spaces, then allows at most `longest` characters. */
export const searchText = (longest: number, told: { missing: string; long: string }) =>
  z.string(told.missing).check(
    z.maxLength(RAW, { error: told.long, abort: true }),
    z.overwrite((text) => text.trim().replace(/\s+/g, " ")),
    z.maxLength(longest, told.long),
  );
