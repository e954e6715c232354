/** Integrations that are connected through local proxies. */
import { afterAll, beforeAll, expect } from "vitest";
import type { IntegrationCheck } from "#contract/integrations/connection-check.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { type ProxyServer, startHttpProxy, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const LOGIN = { user: "shop", password: "canary-of-the-proxy" };
let telegram: TelegramServer;
export let socks: ProxyServer;
export let http: ProxyServer;
export let t: TestApp;
let supervisor: Supervisor;
export let operator: TestClient;

let bots = 600;
export const key = () => `${++bots}:token-of-a-bot-0123456789abcdefghij`;
export const httpUrl = () => `http://127.0.0.1:${http.port}`;
export const bot = (proxy: string | undefined, apiKey = key()) => ({
  ...{ platform: "telegram", apiKey },
  settings: proxy === undefined ? {} : { proxy },
});
export const check = async (proxy: string | undefined, client = operator): Promise<IntegrationCheck> => {
  const answer = await client.post("/api/integrations/check-connection", bot(proxy));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
export const failed = ({ steps }: IntegrationCheck) => steps.find(({ state }) => state === "failed")!;

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareProxies(): void {
  beforeAll(async () => {
    telegram = await startTelegramServer();
    [socks, http] = [await startSocks5(LOGIN), await startHttpProxy()];
    t = await testApp({ telegramApiRoot: telegram.root.replace("127.0.0.1", "bot-api.test") });
    supervisor = startSupervisor(t.services, { everyMs: 150, backoffMs: 50 });
    operator = await t.signUp({ superAdmin: true });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    for (const server of [socks, http, telegram]) await server.close();
  });
}
