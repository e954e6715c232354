/** The demo's shop answers about an invented order from its table, without a model. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tool } from "#contract/actions/tools.ts";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { Twin } from "#contract/twins.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { seedDemo } from "./seed-demo.ts";
import { seedDemoTools } from "./seed-demo-tools.ts";

let t: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  t = await testApp({ demo: true });
  await seedDemo(t.services);
  await seedDemoTools(t.services);
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const { token } = (await t.anonymous.post("/api/auth/telegram", login)).json();
  headers = { authorization: `Bearer ${token}` };
});
afterAll(() => t.close());

const read = async <T>(url: string) => (await t.anonymous.inject({ url, headers })).json<T>();

test("«где мой заказ 1042?» shows the call, its result and the answer, in whatever of the usual words", async () => {
  const twin = (await read<Twin[]>("/api/digital-twins")).find(({ name }) => name.includes("Полтора чайника"))!;
  for (const message of ["где мой заказ 1042?", "Здравствуйте! Подскажите, пожалуйста, что с моим заказом №1042"]) {
    const payload = { twinId: twin.id, message };
    const { response, calls, sources } = (
      await t.anonymous.inject({ method: "POST", url: "/api/ai-generate", headers, payload })
    ).json<Reply>();
    expect(response).toBe(
      "Номер заказа 1042.\nСтатус: Собран\nЧто дальше: Передадим в доставку завтра, трек-номер придёт в тот же день",
    );
    expect(calls).toMatchObject([{ title: "Статус заказа", outcome: "done", result: [{ value: "Собран" }, {}] }]);
    expect(sources).toMatchObject([{ name: "Статус заказа" }]);
  }
});

test("a restart adds nothing, and a tool that was deleted stays deleted", async () => {
  await seedDemoTools(t.services);
  const [tool, ...others] = await read<Tool[]>("/api/tools");
  expect([tool!.forms[0], others]).toEqual(["где мой заказ [Номер заказа]", []]);
  await t.anonymous.inject({ method: "DELETE", url: `/api/tools/${tool!.id}`, headers });
  await seedDemoTools(t.services);
  expect(await read<Tool[]>("/api/tools")).toEqual([]);
});
