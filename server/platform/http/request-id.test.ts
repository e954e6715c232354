import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { testApp } from "#server/test/test-app.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Failing = Awaited<ReturnType<typeof failing>>;
let behind: Failing;
let open: Failing;
beforeAll(async () => {
  [behind, open] = [await failing(true), await failing(false)];
});
afterAll(async () => {
  for (const { t } of [behind, open]) await t.close();
});

/** A server with or without a proxy, whose health endpoint fails because of a bug. */
async function failing(trustProxy: boolean) {
  const lines: { requestId?: string; msg: string }[] = [];
  const log = createLog("error", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const t = await testApp({ trustProxy }, log);
  t.services.facts = () => Promise.reject(new Error("a bug"));
  const chief = await t.signUp({ superAdmin: true });
  const ask = (id: string) =>
    chief.inject({ method: "GET", url: "/api/admin/health", headers: { "x-request-id": id } });
  return { t, lines, ask };
}

test("the proxy's id is in the answer to an error and in the line of the log about it", async () => {
  const { lines, ask } = behind;
  for (const id of [randomUUID(), randomUUID().replaceAll("-", "")]) {
    const answer = await ask(id);
    expect(answer.statusCode).toBe(500);
    expect(answer.json().requestId).toBe(id);
    expect(lines.filter(({ requestId }) => requestId === id)).toHaveLength(1);
  }
});

test.each([
  ["without a proxy of ours", false, randomUUID()],
  ["that is no id", true, "1; drop table"],
  ["that is longer than an id", true, `${randomUUID()}-${randomUUID()}`],
  ["that is in capitals", true, randomUUID().toUpperCase()],
])("an id %s is replaced by a new one", async (_why, trustProxy, id) => {
  const { lines, ask } = trustProxy ? behind : open;
  const { requestId } = (await ask(id)).json();
  expect(requestId).toMatch(UUID);
  expect(requestId).not.toBe(id);
  expect(lines.map((line) => line.requestId)).toContain(requestId);
  expect(JSON.stringify(lines)).not.toContain(id);
});
