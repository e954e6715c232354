import { expect, test } from "vitest";
import { USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
import { createProxied } from "#server/platform/network/proxied.ts";
import { telegram } from "./platform.ts";

const addresses = { telegramApiRoot: "https://api.telegram.org", telegramDc: null };
const user = { apiId: "1", apiHash: "h" };
type Input = Parameters<NonNullable<typeof telegram.credentialsOf>>[0];
const credentials = (input: object) => telegram.credentialsOf!(input as Input);
const opened = (botToken: string | null, integration: { id: string; accountId: string | null } | null) =>
  telegram.open({ platform: "telegram", botToken, user }, addresses, integration, null);

test("a bot's token, an account's keys or both are credentials", () => {
  expect(credentials({ apiKey: "1:a" })).toEqual({ platform: "telegram", botToken: "1:a", user: null });
  expect(credentials({ apiKey: "1:a", apiId: "1" })).toMatchObject({ user: null });
  expect(credentials({ apiKey: USERBOT_API_KEY, apiId: "1", apiHash: "h" })).toMatchObject({ botToken: null, user });
});

test("an account is opened only once it is signed in, a bot at once", () => {
  expect(opened(null, null)).toBeNull();
  expect(opened(null, { id: "i", accountId: null })).toBeNull();
  expect(opened(null, { id: "i", accountId: "100" })).toMatchObject({ platform: "telegram" });
  expect(telegram.open({ platform: "telegram", botToken: null, user: null }, addresses, null, null)).toBeNull();
  expect(opened("1:a", null)).toHaveProperty("announce");
});

test("a bot behind a proxy polls, because Telegram's webhooks could not reach it", () => {
  const address = { kind: "socks5" as const, host: "127.0.0.1", port: 9, user: null, password: null };
  const proxy = createProxied({ address, mayBePrivate: true });
  const bot = telegram.open({ platform: "telegram", botToken: "1:a", user: null }, addresses, null, proxy)!;
  expect(bot).not.toHaveProperty("announce");
});

test("the check of the connection knows which server is asked", () => {
  const servers = (botToken: string | null, more: object = {}) =>
    telegram.servers!({ platform: "telegram", botToken, user }, { ...addresses, ...more });
  expect(servers("1:a")).toEqual([{ host: "api.telegram.org", port: 443, tls: true, ours: true }]);
  expect(servers("1:a", { telegramApiRoot: "http://[::1]:8081" })).toMatchObject([
    { host: "::1", port: 8081, tls: false },
  ]);
  expect(servers(null)).toMatchObject([{ port: 443, tls: false }]);
  expect(servers(null, { telegramDc: { host: "127.0.0.1", port: 9 } })).toMatchObject([{ host: "127.0.0.1", port: 9 }]);
});

test("without keys of an account there is nothing to ask", async () => {
  await expect(
    telegram.probe!({ platform: "telegram", botToken: "1:a", user: null }, addresses, null),
  ).resolves.toBeUndefined();
});
