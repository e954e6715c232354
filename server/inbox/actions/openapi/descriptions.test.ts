/** A description is read through the guard, and its chosen calls become tools that are off and may be unfinished. */
import { describe, expect, test } from "vitest";
import { TOOLS_LIMIT, type Tool, type ToolInput } from "#contract/actions/tools.ts";
import { addTool, orderApiTool } from "#server/test/actions/actions-bench.ts";
import { ann, prepareShop, shop, t, twinId } from "#server/test/actions/shop-bench.ts";

prepareShop();

const YAML = "openapi: 3.0.0\nservers: [{ url: /v1 }]\npaths:\n  /orders/{id}:\n    get: { summary: Заказ }\n";
const NO_PROOF = { everybody: false, channelPhone: null, asked: [] };
/** As the screen makes it of a chosen call. */
const unfinished = (more: Partial<ToolInput> = {}): ToolInput =>
  orderApiTool(
    "https://api.example.ru",
    {},
    { degree: "asks", enabled: false, proof: NO_PROOF, examples: [], ...more },
  );

const read = (given: object) => ann.post("/api/tools/descriptions", { twinId, ...given });
const choose = (tools: ToolInput[]) => ann.post("/api/tools/chosen", { twinId, tools });

describe("a description", () => {
  test("is read from a text and from an address, which its relative servers follow", async () => {
    const sent = await read({ text: YAML });
    expect(sent.json(), sent.body).toMatchObject({ servers: [], calls: [{ method: "GET", target: "/orders/{id}" }] });
    shop.answers.set("/openapi.yaml", { text: YAML, headers: { "content-type": "text/yaml" } });
    const fetched = await read({ url: `${shop.origin}/openapi.yaml` });
    expect(fetched.json(), fetched.body).toMatchObject({ servers: [`${shop.origin}/v1`], total: 1 });
    expect(shop.requests.map(({ path }) => path)).toEqual(["/openapi.yaml"]);
  });

  test.each([
    ["http://192.168.0.1/openapi.json", 400],
    ["https://localhost/openapi.json", 400],
    ["https://user:word@example.ru/openapi.json", 400],
    ["file:///etc/passwd", 400],
    ["https://169.254.169.254/latest", 400],
  ])("is not fetched from %s", async (url, status) => {
    const refused = await read({ url });
    expect([refused.statusCode, refused.json().fields?.url]).toEqual([
      status,
      expect.stringContaining("публичный адрес"),
    ]);
  });

  test("that redirects, fails, is too long or is none is refused with a sentence", async () => {
    const reasons: string[] = [];
    for (const answer of [
      { status: 302, text: "", headers: { location: "http://127.0.0.1/secret" } },
      { status: 500, text: "" },
      { text: "x".repeat(1_000_001) },
      { text: "<html>" },
    ]) {
      shop.answers.set("/d", answer);
      const refused = await read({ url: `${shop.origin}/d` });
      expect([refused.statusCode, refused.json().code]).toEqual([422, "tool_description_unreadable"]);
      reasons.push(refused.json().error ?? refused.json().message ?? refused.body);
    }
    expect(reasons.map((reason) => /перенаправляет|ошибкой 500|больше 1 МБ|не описание/.exec(reason)?.[0])).toEqual([
      "перенаправляет",
      "ошибкой 500",
      "больше 1 МБ",
      "не описание",
    ]);
    expect(shop.requests.map(({ path }) => path)).toEqual(["/d", "/d", "/d", "/d"]);
  });

  test("is not read for another organisation's twin", async () => {
    const stranger = await t.signUp();
    expect((await stranger.post("/api/tools/descriptions", { twinId, text: YAML })).statusCode).toBe(404);
    expect((await stranger.post("/api/tools/chosen", { twinId, tools: [unfinished()] })).statusCode).toBe(404);
  });
});

describe("chosen calls", () => {
  test("become tools that are off; one is switched on only once it says what proves its result", async () => {
    // A request that says that they are on does not switch them on.
    const made = await choose([
      unfinished(),
      unfinished({ title: "Второй", enabled: true, proof: { ...NO_PROOF, everybody: true } }),
    ]);
    expect(made.statusCode, made.body).toBe(201);
    const [first, second] = made.json<Tool[]>();
    expect([first!.enabled, second!.enabled]).toEqual([false, false]);
    expect(JSON.stringify(made.json())).not.toContain("s3cret");
    const put = (more: Partial<ToolInput>) => {
      const { settings } = unfinished();
      const kept = settings.kind === "http" ? { ...settings, headers: [{ name: "X-Key" }] } : settings;
      return ann.put(`/api/tools/${first!.id}`, { ...unfinished(), settings: kept, ...more });
    };
    const refused = await put({ enabled: true });
    expect([refused.statusCode, refused.json().fields]).toEqual([
      400,
      { proof: expect.stringContaining("подтверждает") },
    ]);
    expect((await put({ title: "Пока без проверки" })).statusCode).toBe(200);
    const proof = { ...NO_PROOF, asked: [{ label: "Телефон", source: "order.phone", compare: "phone" as const }] };
    expect((await put({ enabled: true, proof })).json()).toMatchObject({ enabled: true, degree: "asks" });
  });

  test("are made all or none, and never more than a twin may have", async () => {
    await addTool(ann, twinId, orderApiTool("https://api.example.ru"));
    const many = await choose(Array.from({ length: TOOLS_LIMIT }, () => unfinished()));
    expect([many.statusCode, many.json().code]).toEqual([409, "too_many_tools"]);
    expect(many.body).toContain("отметьте не больше 19");
    const local = orderApiTool("http://10.0.0.1", {}, { proof: NO_PROOF });
    const refused = await choose([unfinished(), local, unfinished()]);
    expect([refused.statusCode, refused.json().code]).toEqual([400, "invalid_input"]);
    expect((await ann.get(`/api/tools?twinId=${twinId}`)).json()).toHaveLength(1);
    expect((await choose([])).statusCode).toBe(400);
  });
});
