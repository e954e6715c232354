import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, repositoryFiles } from "./repository-files.ts";

test("each advisory lock of the database has a key of its own", () => {
  const sources = repositoryFiles(/\.ts$/).filter((path) => path.startsWith("server/") && !path.endsWith(".test.ts"));
  const keys = sources.flatMap((path) => readFileSync(join(ROOT, path), "utf8").match(/\b727_460_\d{3}\b/g) ?? []);
  expect(keys.length).toBeGreaterThan(6);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});
