import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { importConsent } from "#contract/knowledge/imports.ts";

/** Hash of every text to which people have consented, by version: the stored consent contains only the version. */
const AGREED: Record<string, string> = {
  "2025-11-1": "06c4445cf537c02a787fe70bcf5f35bcfb31c61bc12fc34348159b20d3482576",
  "2026-11-1": "7d3227cc37994598e3ed2a3a20578b3888044240ddfbc0f3d9e2fefd40a696c1",
};

test("a changed consent text has a new version", () => {
  const { version, statement, confirmation } = importConsent;
  expect(createHash("sha256").update(`${statement}\n${confirmation}`).digest("hex")).toBe(AGREED[version]);
});

test("the consent text mentions the other people in the conversation and what is left out", () => {
  expect(importConsent.statement).toMatch(/сообщения других людей/);
  expect(importConsent.statement).toMatch(/не\s+показываются другим людям/);
  expect(importConsent.statement).toMatch(/Невыбранные чаты/);
  expect(importConsent.confirmation).toMatch(/вправе использовать/);
});
