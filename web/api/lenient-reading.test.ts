import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { checkAnswer } from "./answer.ts";
import { AnswerMismatch } from "./api-error.ts";
import { readLeniently } from "./lenient-reading.ts";
import { hasOmittedRows } from "./omitted-rows.ts";
import { queryKeyOf } from "./query.ts";

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
  test("is read without invalid rows, which are counted", () => {
    const body = [row("a"), row("b", { count: "many" }), row("c"), null, row("d")];
    expect(dataOf(rows, body)).toEqual({ data: [row("a"), row("c"), row("d")], leftOut: 2 });
    // The response itself must not be modified.
    expect(body).toHaveLength(5);
  });

  test("keeps a row whose invalid field is optional or nullable", () => {
    const read = dataOf(rows, [row("a", { when: 5 }), row("b", { to: 7 })]);
    expect(read).toEqual({ data: [{ id: "a", count: 1, to: null }, row("b")], leftOut: 0 });
  });

  test("without any valid row is refused, and so is a value that is not a list", () => {
    for (const body of [[{ id: 1 }], { rows: [] }, null]) expect(readLeniently(rows, body)).toHaveProperty("issue");
    expect(dataOf(rows, [])).toEqual({ data: [], leftOut: 0 });
  });

  test("inside a response is read in the same way, and the other fields are kept", () => {
    const schema = z.object({ total: z.number(), groups: z.array(z.object({ name: z.string(), rows })) });
    const groups = [
      { name: "one", rows: [row("a"), row("b")] },
      { name: 2, rows: [] },
    ];
    expect(dataOf(schema, { total: 3, groups }).data).toEqual({ total: 3, groups: groups.slice(0, 1) });
    expect(readLeniently(schema, { total: "3", groups })).toHaveProperty("issue");
  });
});

test("the screen learns of omitted rows until a later response is complete", () => {
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
  expect(hasOmittedRows(key)).toBe(false);
  expect(checkAnswer(list, [source({ messagesCount: "три" }), source({ id: "2" })])).toHaveLength(1);
  expect(hasOmittedRows(key)).toBe(true);
  expect(hasOmittedRows(queryKeyOf(knowledgeBaseApi.stats, {}))).toBe(false);
  checkAnswer(list, [source()]);
  expect(hasOmittedRows(key)).toBe(false);
});

test("a response that is a single invalid object is refused", () => {
  const one = endpoint("GET /api/things/:id", { access: "public", summary: "", output: Row });
  expect(() => checkAnswer(one, row("a", { count: null }))).toThrow(AnswerMismatch);
});
