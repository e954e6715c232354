import { expect, test } from "vitest";
import { messagesOf, page, read, said } from "#server/test/imports/meta-json.ts";

test("a file of more messages or longer texts than Meta writes is read from its newest on, within bounds", async () => {
  const many = await read(page(Array.from({ length: 100_500 }, (_, at) => said(String(at)))));
  expect(messagesOf(many)).toHaveLength(100_000);
  expect(messagesOf(many).at(-1)!.text).toBe("0");
  expect(many.at(-1)).toMatchObject({ incomplete: true, error: expect.stringContaining("самые новые") });
  const long = await read(page(Array.from({ length: 40 }, () => said("x".repeat(3_000_000)))));
  expect(messagesOf(long).length).toBeLessThan(25);
  expect(long.at(-1)).toMatchObject({ incomplete: true });
  const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  const nested = await read(`{"participants":[],"messages":[${JSON.stringify(said("Да"))},${deep}],"title":"x"}`);
  expect(messagesOf(nested).map(({ text }) => text)).toContain("Да");
});
