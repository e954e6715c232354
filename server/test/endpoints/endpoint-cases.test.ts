import { expect, test } from "vitest";
import { mergeCases } from "./endpoint-cases.ts";

test("a call that two subjects have a case for is named and refused", () => {
  const one = { "GET /api/twins": { url: () => "/api/twins" } };
  const other = { "GET /api/plans": { url: () => "/api/plans" } };
  expect(Object.keys(mergeCases([one, other]))).toEqual(["GET /api/twins", "GET /api/plans"]);
  expect(() => mergeCases([one, other, one])).toThrow("GET /api/twins has two cases");
});
