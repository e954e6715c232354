import { describe } from "vitest";
import { testKilledImport } from "#server/test/processes/killed-import.ts";

/** Set IMPORT_MESSAGES=100000 IMPORT_KILLS=10 to run it by hand. */
const total = Number(process.env.IMPORT_MESSAGES ?? 20_000);
const queueKills = Number(process.env.IMPORT_KILLS ?? 2) - 1;

describe.each(["the data folder", "s3"] as const)("with its file in %s", (place) => {
  testKilledImport("an import that is killed repeatedly has the same result as an undisturbed one", {
    place,
    total,
    kills: ["at-once", ...Array<"queue">(queueKills).fill("queue")],
  });
});
