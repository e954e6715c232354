import { expect, test } from "vitest";
import { fieldsOfSchema } from "./fields.ts";

const read = (properties: unknown, required: unknown = []) => fieldsOfSchema({ type: "object", properties, required });

test.each<[string, unknown, object | null]>([
  ["a text", { type: "string" }, { type: "text" }],
  ["a date", { type: "string", format: "date" }, { type: "date" }],
  ["a format of another kind", { type: "string", format: "uuid" }, { type: "text" }],
  ["an integer", { type: "integer" }, { type: "number" }],
  ["a yes or a no", { type: "boolean" }, { type: "choice", choices: ["да", "нет"] }],
  ["a choice", { enum: ["a", "b"] }, { type: "choice", choices: ["a", "b"] }],
  ["a text or null", { type: ["string", "null"] }, { type: "text" }],
  [
    "a number or null, as other servers write it",
    { anyOf: [{ type: "number" }, { type: "null" }] },
    { type: "number" },
  ],
  ["a text or a number", { type: ["string", "number"] }, null],
  ["a list", { type: "array", items: { type: "string" } }, null],
  ["an object", { type: "object", properties: {} }, null],
  ["a reference", { $ref: "#/$defs/a" }, null],
  ["a constant", { const: "a" }, null],
  ["a choice of numbers", { enum: [1, 2] }, null],
  ["a choice of nothing", { type: "string", enum: [] }, null],
  ["anything", {}, null],
  ["no schema", "text", null],
])("%s is read so, or not at all", (_, property, field) => {
  const { fields, leftOut, refusal } = read({ value: property });
  expect([fields, leftOut, refusal]).toEqual(
    field === null ? [[], ["value"], null] : [[expect.objectContaining(field)], [], null],
  );
});

test("what is required comes first, and more of it than a tool has is refused", () => {
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`f${at}`, { type: "string" }]));
  const some = read(many, ["f13"]);
  expect([some.fields.length, some.fields[0]!.name, some.leftOut, some.refusal]).toEqual([
    12,
    "f13",
    ["f11", "f12"],
    null,
  ]);
  expect(read(many, Object.keys(many)).refusal).toBe("У действия больше 12 обязательных полей");
  expect(read({ a: { type: "array" } }, ["a"]).refusal).toMatch(/^Обязательное поле «a» не простое/);
  expect(read({}, ["a"]).refusal).toBe("Обязательное поле «a» не описано");
  expect(read(Object.fromEntries(Array.from({ length: 61 }, (_, at) => [`f${at}`, {}]))).refusal).toMatch(
    /слишком много/,
  );
});

test("names that code or programs give themselves are no fields, and words are bounded and visible", () => {
  const hostile = JSON.parse(
    '{"__proto__": {"type": "string"}, "proof1": {"type": "string"}, "a-b": {"type": "string"}}',
  );
  expect(read(hostile)).toMatchObject({ fields: [], leftOut: ["__proto__", "proof1", "a-b"], sent: {} });
  const [field] = read({
    a: { type: "string", title: `x\u200b\n${"y".repeat(99)}`, description: "z".repeat(999) },
  }).fields;
  expect([field!.label.length, field!.description.length, /[\n\u200b]/.test(field!.label)]).toEqual([60, 200, false]);
});

test.each([undefined, null, "text", [], { properties: [] }, { properties: "x", required: "y" }])(
  "a schema that is none has no fields: %j",
  (schema) => {
    expect(fieldsOfSchema(schema)).toMatchObject({ fields: [], leftOut: [], refusal: null });
  },
);
