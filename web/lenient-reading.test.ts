import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { AnswerMismatch, checkAnswer, queryKeyOf } from "./api.ts";
import { isLeftOut } from "./left-out.ts";
import { readLeniently } from "./lenient-reading.ts";

const Row = z.object({
  id: z.string(),
  count: z.number(),
  when: z.optional(z.nullable(z.string())),
  to: z.nullable(z.string()),
});
const row = (id: string, own: object = {}) => ({ id, count: 1, when: "2025-11-20", to: null, ...own });
const rows = z.array(Row);

const dataOf = (schema: z.ZodMiniType, body: unknown) => {
  const result = readLeniently(schema, body);
  if ("issue" in result) throw new Error(result.issue.message);
  return result.read;
};

describe("a list", () => {
  test("is read without the rows that cannot be read, and they are counted", () => {
    const body = [row("a"), row("b", { count: "many" }), row("c"), null, row("d")];
    expect(dataOf(rows, body)).toEqual({ data: [row("a"), row("c"), row("d")], leftOut: 2 });
    // What came is not changed.
    expect(body).toHaveLength(5);
  });

  test("keeps a row of which a field is odd that may be missing or empty", () => {
    const read = dataOf(rows, [row("a", { when: 5 }), row("b", { to: 7 })]);
    expect(read).toEqual({ data: [{ id: "a", count: 1, to: null }, row("b")], leftOut: 0 });
  });

  test("of which no row can be read is no answer, and neither is something that is no list", () => {
    for (const body of [[{ id: 1 }], { rows: [] }, null]) expect(readLeniently(rows, body)).toHaveProperty("issue");
    expect(dataOf(rows, [])).toEqual({ data: [], leftOut: 0 });
  });

  test("inside of an answer is read the same way, and what stands beside it holds", () => {
    const schema = z.object({ total: z.number(), groups: z.array(z.object({ name: z.string(), rows })) });
    const groups = [
      { name: "one", rows: [row("a"), row("b")] },
      { name: 2, rows: [] },
    ];
    expect(dataOf(schema, { total: 3, groups }).data).toEqual({ total: 3, groups: groups.slice(0, 1) });
    expect(readLeniently(schema, { total: "3", groups })).toHaveProperty("issue");
  });
});

test("the screen that shows a read is told of rows that were left out, until a later read has them all", () => {
  const list = knowledgeBaseApi.sources;
  const source = (own: object = {}) => ({
    id: "1",
    name: "Чат",
    platform: "telegram",
    status: "active",
    digitalTwinName: "Анна",
    messagesCount: 3,
    ...own,
  });
  const key = queryKeyOf(list, {});
  expect(isLeftOut(key)).toBe(false);
  expect(checkAnswer(list, [source({ messagesCount: "три" }), source({ id: "2" })])).toHaveLength(1);
  expect(isLeftOut(key)).toBe(true);
  expect(isLeftOut(queryKeyOf(knowledgeBaseApi.stats, {}))).toBe(false);
  checkAnswer(list, [source()]);
  expect(isLeftOut(key)).toBe(false);
});

test("an answer that is one thing is refused where it is odd", () => {
  const one = endpoint("GET /api/things/:id", { access: "public", summary: "", output: Row });
  expect(() => checkAnswer(one, row("a", { count: null }))).toThrow(AnswerMismatch);
});
