/** Whether Telegram answers at all: directly, through each kind of proxy, and when something stands in the way. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProxyAddress } from "#contract/integrations/proxy-address.ts";
import {
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { createProxied } from "#server/platform/network/proxied.ts";
import { dcOf } from "#server/test/channels/telegram-account.ts";
import { startMtproxy, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { probeAccount } from "./probe.ts";

let telegram: TelegramAccountServer;
beforeAll(async () => {
  telegram = await startTelegramAccountServer();
});
afterAll(() => telegram.close());

const SECRET = "00112233445566778899aabbccddeeff";
const through = (address: ProxyAddress) => createProxied({ address, mayBePrivate: true });
const probe = (proxy: ReturnType<typeof through> | null = null, dc = dcOf(telegram)) =>
  probeAccount({ apiId: "123456", apiHash: "h" }, { dc, proxy });

test("any answer of Telegram proves that it is there, except that the API ID is unknown", async () => {
  await probe();
  telegram.fail("help.getNearestDc", "API_ID_INVALID");
  await expect(probe()).rejects.toMatchObject({ kind: "auth", message: expect.stringContaining("API ID") });
});

test("an address where nothing listens is away", async () => {
  await expect(probe(null, { ...dcOf(telegram), port: 9 })).rejects.toMatchObject({ kind: "away" });
});

test("through SOCKS5 Telegram is reached only by the proxy", async () => {
  const server = await startSocks5();
  const proxy = through({ kind: "socks5", host: "127.0.0.1", port: server.port, user: null, password: null });
  await probe(proxy);
  expect(server.targets.length).toBeGreaterThan(0);
  server.mood = "forbids";
  await expect(probe(proxy)).rejects.toMatchObject({ kind: "away" });
  expect(proxy.failure()).not.toBeNull();
  await server.close();
});

test("through MTProxy too; a proxy that is away is noted", async () => {
  const { host, port } = dcOf(telegram);
  const server = await startMtproxy(Buffer.from(SECRET, "hex"), { host, port });
  const proxy = through({ kind: "mtproxy", host: "127.0.0.1", port: server.port, secret: SECRET });
  await probe(proxy);
  await server.close();
  await expect(probe(proxy)).rejects.toMatchObject({ kind: "away" });
  expect(proxy.failure()).not.toBeNull();
});
