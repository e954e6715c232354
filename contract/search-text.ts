import * as z from "zod/mini";

/** What may come at all: white space that is pasted along is no fault, a flood of it is. */
const RAW = 4000;

/** Words to search for: white space at the ends goes, inside it becomes one space; then at most `longest` characters. */
export const searchText = (longest: number, told: { missing: string; long: string }) =>
  z.string(told.missing).check(
    z.maxLength(RAW, { error: told.long, abort: true }),
    z.overwrite((text) => text.trim().replace(/\s+/g, " ")),
    z.maxLength(longest, told.long),
  );
