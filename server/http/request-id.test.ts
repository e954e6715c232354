import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { testApp } from "#server/test/test-app.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A server behind a proxy or not, on which `/fails` is a bug. */
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
  const { t, lines, ask } = await failing(true);
  try {
    for (const id of [randomUUID(), randomUUID().replaceAll("-", "")]) {
      const answer = await ask(id);
      expect(answer.statusCode).toBe(500);
      expect(answer.json().requestId).toBe(id);
      expect(lines.filter(({ requestId }) => requestId === id)).toHaveLength(1);
    }
  } finally {
    await t.close();
  }
});

test.each([
  ["without a proxy of ours", false, randomUUID()],
  ["that is no id", true, "1; drop table"],
  ["that is longer than an id", true, `${randomUUID()}-${randomUUID()}`],
  ["that is in capitals", true, randomUUID().toUpperCase()],
])("an id %s is replaced by a new one", async (_why, trustProxy, id) => {
  const { t, lines, ask } = await failing(trustProxy);
  try {
    const { requestId } = (await ask(id)).json();
    expect(requestId).toMatch(UUID);
    expect(requestId).not.toBe(id);
    expect(lines.map((line) => line.requestId)).toContain(requestId);
    expect(JSON.stringify(lines)).not.toContain(id);
  } finally {
    await t.close();
  }
});
