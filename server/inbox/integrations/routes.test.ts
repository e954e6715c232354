import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { testApp } from "#server/test/test-app.ts";

test("repeated requests for a history over one connection leave no listeners on it", async () => {
  const t = await testApp();
  const { token } = await t.signUp();
  const sockets: Socket[] = [];
  t.app.server.on("connection", (socket) => sockets.push(socket));
  const origin = await t.app.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `${origin}/api/integrations/telegram/${randomUUID()}/import-data`;
      const asked = request(url, { method: "POST", agent, headers }, (answer) =>
        answer.resume().on("end", () => resolve(answer.statusCode)),
      );
      asked.on("error", reject).end(JSON.stringify({ dialogsLimit: 1, messagesPerDialog: 1 }));
    });
  expect(await ask()).toBe(404);
  const before = sockets[0]!.listenerCount("close");
  for (let call = 0; call < 5; call++) await ask();
  expect(sockets).toHaveLength(1);
  expect(sockets[0]!.listenerCount("close")).toBe(before);
  agent.destroy();
  await t.close();
});
