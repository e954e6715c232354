import { testKilledImport } from "#server/test/processes/killed-import.ts";

// Of several batches, so that a kill leaves some behind and some ahead. Longer ones, and files in S3: import-kill.full.test.ts.
testKilledImport("an import that is killed has the same result as an undisturbed one", {
  place: "the data folder",
  total: 3000,
  kills: ["queue"],
});
