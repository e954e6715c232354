/** Descriptions in the shapes that public ones have, and those that are made to hurt. */
import { describe, expect, test } from "vitest";
import type { OfferedCall, ToolDescription } from "#contract/actions/tool-import.ts";
import readDescription from "./read-description.ts";

const read = (document: unknown, base: string | null = null) =>
  readDescription({ text: typeof document === "string" ? document : JSON.stringify(document), base, most: 1000 });

function described(document: unknown, base: string | null = null): ToolDescription {
  const found = read(document, base);
  if ("refusal" in found) throw new Error(found.refusal);
  return found;
}

const onlyCall = (operation: object, { method = "get", path = "/orders", ...more } = {}): OfferedCall =>
  described({ openapi: "3.0.3", paths: { [path]: { [method]: operation } }, ...more }).calls[0]!;

const namesOf = ({ fields }: OfferedCall) => fields.map(({ name, required }) => (required ? name : `${name}?`));

const SHOP_YAML = `
openapi: 3.1.0
info: { title: "Магазин «Зерно»", version: "1" }
servers:
  - url: https://{region}.api.example.ru/{version}/
    variables:
      region: { default: msk, enum: [msk, spb] }
      version: { default: v2 }
security: [{ token: [] }]
paths:
  /orders/{order-id}:
    parameters:
      - { name: order-id, in: path, required: true, description: Номер заказа., schema: { type: string } }
    get:
      summary: Состояние заказа
      description: Где заказ и когда его привезут
      parameters:
        - { name: lang, in: query, required: true, schema: { type: string, enum: [ru] } }
        - { name: with_items, in: query, schema: { type: boolean } }
      responses:
        "200":
          content:
            application/json; charset=utf-8:
              schema:
                type: object
                properties:
                  data: { $ref: "#/components/schemas/Order" }
    delete:
      operationId: cancelOrder
      responses: { "204": { description: Отменён } }
  /bookings:
    post:
      summary: Записать на обжарку
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - $ref: "#/components/schemas/When"
                - type: object
                  required: [name]
                  properties:
                    id: { type: integer, readOnly: true }
                    name: { type: [string, "null"], title: Имя }
                    guests: { anyOf: [{ type: integer }, { type: "null" }] }
                    hall: { type: string, enum: [Большой, Малый] }
                    tags: { type: array, items: { type: string } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer, description: Ключ из личного кабинета }
  schemas:
    When:
      type: object
      required: [date]
      properties:
        date: { type: string, format: date, description: День }
        time: { type: string, format: time }
    Order:
      type: object
      properties:
        status: { type: string, description: Статус }
        access_token: { type: string }
        customer: { type: object, properties: { phone: { type: string, title: Телефон } } }
        items: { type: array, items: { type: object, properties: { name: { type: string } } } }
        parent: { $ref: "#/components/schemas/Order" }
`;

describe("a description", () => {
  test("in YAML, of OpenAPI 3.1, with variables, shared parameters and joined schemas", () => {
    const { title, format, servers, calls, total } = described(SHOP_YAML);
    expect({ title, format, servers, total }).toEqual({
      title: "Магазин «Зерно»",
      format: "OpenAPI 3.1",
      servers: ["https://msk.api.example.ru/v2"],
      total: 3,
    });
    const [status, cancel, book] = calls;
    expect(status).toMatchObject({
      method: "GET",
      path: "/orders/{order-id}",
      target: "/orders/{order_id}?lang=ru",
      title: "Состояние заказа",
      description: "Где заказ и когда его привезут",
      changes: false,
      fields: [{ name: "order_id", label: "Номер заказа", type: "text", required: true }],
      headers: [{ name: "Authorization", scheme: "bearer", about: "Ключ из личного кабинета" }],
      omitted: ["параметр «with_items» (да или нет)"],
      problem: null,
    });
    // Nearest to the root first; what looks like a secret and what contains itself is left out.
    expect(status!.shown).toEqual([
      { path: "data.status", label: "Статус" },
      { path: "data.customer.phone", label: "Телефон" },
      { path: "data.items.0.name", label: "name" },
    ]);
    expect(cancel).toMatchObject({ method: "DELETE", title: "cancelOrder", changes: true, problem: null });
    expect(namesOf(book!)).toEqual(["date", "name", "time?", "guests?", "hall?"]);
    expect(book!.fields.map(({ type, label }) => [type, label])).toEqual([
      ["date", "День"],
      ["text", "Имя"],
      ["time", "time"],
      ["number", "guests"],
      ["choice", "hall"],
    ]);
    expect(book!.omitted).toEqual(["поле «tags» (список)"]);
  });

  test("of Swagger 2.0 with a key in a header and a body as a parameter", () => {
    const { format, servers, calls } = described({
      ...{ swagger: "2.0", info: { title: "Petstore" }, host: "petstore.example.io", basePath: "/v2" },
      schemes: ["http", "https"],
      securityDefinitions: { api_key: { type: "apiKey", name: "api_key", in: "header" } },
      security: [{ api_key: [] }],
      paths: {
        "/pet/{petId}": {
          get: {
            parameters: [{ name: "petId", in: "path", type: "integer", format: "int64", required: true }],
            responses: { 200: { schema: { $ref: "#/definitions/Pet" } } },
          },
          post: {
            parameters: [
              { name: "petId", in: "path", type: "integer", required: true },
              { name: "name", in: "formData", type: "string" },
            ],
          },
        },
        "/pet": { put: { parameters: [{ in: "body", name: "body", schema: { $ref: "#/definitions/Pet" } }] } },
      },
      definitions: {
        Pet: { type: "object", required: ["name"], properties: { id: { type: "integer" }, name: { type: "string" } } },
      },
    });
    expect([format, servers]).toEqual(["Swagger 2.0", ["https://petstore.example.io/v2"]]);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /pet/{petId}",
      "POST /pet/{petId}",
      "PUT /pet",
    ]);
    expect(calls[0]).toMatchObject({
      target: "/pet/{petId}",
      headers: [{ name: "api_key", scheme: "plain" }],
      fields: [{ name: "petId", type: "number" }],
      shown: [{ path: "id" }, { path: "name" }],
    });
    expect(calls[1]!.problem).toBe("Действие этого не отправит: тело запроса другого вида");
    expect(namesOf(calls[2]!)).toEqual(["name", "id?"]);
  });

  test("at an address gives it to relative servers; a call may have a server of its own", () => {
    const paths = { "/a": { get: {}, servers: [{ url: "https://files.example.ru/" }] }, "/b": { get: {} } };
    const { servers, calls } = described(
      { openapi: "3.0.0", servers: [{ url: "/api/v1" }, { url: "https://{x}.example.ru" }], paths },
      "https://shop.example.ru/docs/openapi.json",
    );
    expect(servers).toEqual(["https://shop.example.ru/api/v1"]);
    expect(calls.map(({ server }) => server)).toEqual(["https://files.example.ru", null]);
    expect(described({ openapi: "3.0.0", paths }).servers).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["a file", { required: true, content: { "multipart/form-data": { schema: {} } } }, "другого вида"],
    [
      "a list",
      { required: true, content: { "application/json": { schema: { type: "array" } } } },
      "не из отдельных полей",
    ],
    [
      "a nested object",
      {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["to"], properties: { to: { type: "object" } } },
          },
        },
      },
      "поле «to» (вложенное поле)",
    ],
    [
      "another file",
      {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["to"], properties: { to: { $ref: "other.yaml#/To" } } },
          },
        },
      },
      "поле «to» (описано в другом месте)",
    ],
  ])("says why a call with %s in its body cannot be made", (_, requestBody, why) => {
    const { problem } = onlyCall({ requestBody }, { method: "post" });
    expect(problem).toContain(why);
  });

  test("of a call without what a tool can send still offers it where that is optional", () => {
    const filter = { name: "filter[status]", in: "query", schema: { type: "string" } };
    expect(onlyCall({ parameters: [filter] })).toMatchObject({
      problem: null,
      omitted: ["параметр «filter[status]» (такое имя действие не отправляет)"],
    });
    expect(onlyCall({ parameters: [{ ...filter, required: true }] }).problem).toContain("filter[status]");
    // A changing call sends its fields in the body, so only required parameters may stand in the address.
    const posted = onlyCall(
      {
        parameters: [
          { name: "branch", in: "query", required: true, schema: { type: "string" } },
          { name: "debug", in: "query", schema: { type: "string" } },
        ],
      },
      { method: "post" },
    );
    expect(posted).toMatchObject({ target: "/orders?branch={branch}", omitted: ["параметр «debug»"], problem: null });
  });

  test("offers the way in that a tool can go, and says which it cannot", () => {
    const schemes = {
      query: { type: "apiKey", in: "query", name: "key" },
      basic: { type: "http", scheme: "Basic" },
      oauth: { type: "oauth2", flows: {} },
      mutual: { type: "mutualTLS" },
    };
    const withSecurity = (...security: object[]) =>
      described({ openapi: "3.0.0", components: { securitySchemes: schemes }, paths: { "/a": { get: { security } } } })
        .calls[0]!;
    expect(withSecurity({ query: [] }, { basic: [] }).headers).toMatchObject([
      { name: "Authorization", scheme: "basic" },
    ]);
    expect(withSecurity({ oauth: ["read"] }).headers).toMatchObject([{ scheme: "bearer" }]);
    expect(withSecurity({}, { oauth: [] })).toMatchObject({ headers: [], problem: null });
    expect(withSecurity({ query: [] }).problem).toContain("не секрет");
    expect(withSecurity({ mutual: [] }).problem).toContain("вход");
    expect(withSecurity({ nowhere: [] }).problem).toBe("Способ входа не описан");
    const header = { name: "X-Shop", in: "header", required: true, schema: {} };
    expect(onlyCall({ parameters: [header, { ...header, name: "Accept" }] }).headers).toEqual([
      { name: "X-Shop", scheme: "plain", about: "" },
    ]);
  });
});

describe("a hostile description", () => {
  test("of ten thousand paths is listed in part and counted", () => {
    const paths = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`/p${at}`, { get: {} }]));
    const { calls, total } = described({ openapi: "3.0.0", paths });
    expect([calls.length, total]).toEqual([1000, 10_000]);
  });

  test("of references in a circle, to everywhere and to nowhere is cut", () => {
    const a = { $ref: "#/components/schemas/B" };
    const both = {
      type: "object",
      properties: Object.fromEntries([..."abcdefgh"].map((key) => [key, { $ref: "#/components/schemas/Both" }])),
    };
    const wide = { type: "object", properties: { ...both.properties, x: { $ref: "#/components/schemas/Wide" } } };
    const { shown, problem } = onlyCall(
      {
        parameters: [{ $ref: "#/paths/~1orders/get/parameters/0" }, { $ref: "#/constructor/prototype" }, { $ref: 7 }],
        responses: { 200: { content: { "application/json": { schema: wide } } } },
      },
      { components: { schemas: { A: a, B: { $ref: "#/components/schemas/A" }, Both: both, Wide: wide } } } as never,
    );
    expect([shown, problem]).toEqual([[], null]);
    const circle = { allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/A" }] };
    expect(
      onlyCall({ requestBody: { required: true, content: { "application/json": { schema: circle } } } }, {
        method: "post",
        components: { schemas: { A: { allOf: [circle, circle] } } },
      } as never).problem,
    ).toBeNull();
  });

  test("that doubles at each of its references is given up in time", () => {
    const schemas: Record<string, object> = { S0: { type: "object" } };
    for (let at = 1; at <= 40; at++)
      schemas[`S${at}`] = {
        allOf: [{ $ref: `#/components/schemas/S${at - 1}` }, { $ref: `#/components/schemas/S${at - 1}` }],
      };
    const began = performance.now();
    const found = read({
      ...{ openapi: "3.0.0", components: { schemas } },
      paths: {
        "/a": {
          get: {
            responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/S40" } } } } },
          },
        },
      },
    });
    expect(found).toEqual({ refusal: expect.stringContaining("запутанное") });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test.each([
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghi"].map((to, at) => `${to}: &${to} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(",")}]`).join("\n")}\nopenapi: 3.0.0`,
    ],
    ["a deep list", `${"[".repeat(10_000)}`],
    ["a deep object", `{"openapi":"3.0.0","paths":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
    ["no text at all", "\u0000\u0001"],
    ["a list", "[1,2]"],
    ["another kind of description", '{"asyncapi":"2.0.0"}'],
    ["a later version", '{"openapi":"4.0.0","paths":{"/a":{"get":{}}}}'],
    ["no paths", '{"openapi":"3.0.0","paths":{}}'],
    ["web page", "<!doctype html><html><body>Swagger UI</body></html>"],
  ])("that is %s is refused with a sentence", (_, text) => {
    expect(read(text)).toEqual({ refusal: expect.stringMatching(/^(Это не|В описании|Описание слишком)/) });
  });

  test("of many equal keys in YAML is read in time", () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `  k${at}: 1`).join("\n");
    const began = performance.now();
    expect(described(`openapi: 3.0.0\npaths: { /a: { get: {} } }\nx:\n${keys}`).total).toBe(1);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("cannot reach a prototype or carry hidden characters", () => {
    const text =
      '{"openapi":"3.0.0","__proto__":{"x":1},"paths":{"/a":{"get":{"summary":"Спи\u202eсок\\u0000","parameters":[{"name":"__proto__","in":"query"},{"name":"constructor","in":"query"}]}}}}';
    const [call] = described(text).calls;
    expect(call!.title).toBe("Список");
    expect(namesOf(call!)).toEqual(["constructor?"]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
