import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTINGS } from "./environment.ts";

const names = Object.keys(SETTINGS);

test.each(["docs/configuration.md", ".env.example"])("%s has each setting and none that there is not", (path) => {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const listed = path.endsWith(".md")
    ? text.match(/^\|.*?\|/gm)!.join("\n")
    : text.match(/^# [A-Z0-9_]+=/gm)!.join("\n");
  const found = new Set(listed.match(/[A-Z][A-Z0-9_]{3,}/g));
  expect([...found].sort()).toEqual([...names].sort());
});
