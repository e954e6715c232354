import { testKilledImport } from "#server/test/processes/killed-import.ts";

// The import has several batches, so a kill leaves some done and some not. Longer imports, and files in S3: import-kill.full.test.ts.
testKilledImport("an import that is killed has the same result as an undisturbed one", {
  place: "the data folder",
  total: 3000,
  kills: ["queue"],
});
