/** What «Проверить соединение» says of each hop, directly and through a proxy, of servers on this machine. */
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CheckStep } from "#contract/integrations/connection-check.ts";
import type { CheckedServer } from "#server/inbox/channel-protocol/platform.ts";
import { createProxied } from "#server/platform/network/proxied.ts";
import { type ProxyServer, startHttpProxy } from "#server/test/servers/proxy-server.ts";
import { certificateFor } from "#server/test/servers/self-signed.ts";
import { checkConnectionSteps } from "./connection-steps.ts";

let cert: string;
let secure: Server;
let plain: Server;
let proxy: ProxyServer;
beforeAll(async () => {
  const pair = await certificateFor("localhost");
  cert = pair.cert;
  secure = createTlsServer(pair, () => {}).on("tlsClientError", () => {});
  // It speaks no TLS.
  plain = createServer((socket) => void socket.on("error", () => {}).end("220 hello\r\n"));
  for (const server of [secure, plain]) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy = await startHttpProxy({ user: "user", password: "word" });
});
afterAll(async () => {
  await proxy.close();
  secure.close();
  plain.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const at = (server: Server, changes: Partial<CheckedServer> = {}): CheckedServer => ({
  ...{ host: "localhost", port: portOf(server), tls: true, ours: true },
  ...changes,
});
const through = (port: number, login: { user: string; password: string } | null = { user: "user", password: "word" }) =>
  createProxied({
    address: { kind: "http", host: "127.0.0.1", port, user: null, password: null, ...login },
    mayBePrivate: true,
  });
const hopsOf = (steps: CheckStep[]) => steps.map(({ hop, state }) => `${hop} ${state}`).join(", ");
const failureOf = (steps: CheckStep[]) => {
  const step = steps.find(({ state }) => state === "failed")!;
  return `${step.text}: ${step.advice}`;
};

test("a server whose certificate is trusted is reached hop by hop", async () => {
  const direct = await checkConnectionSteps(at(secure, { roots: [cert] }), null);
  expect(hopsOf(direct)).toBe("name ok, tcp ok, tls ok");
  expect(direct.at(-1)!.text).toBe("Сертификат localhost проверен");
  const proxied = await checkConnectionSteps(at(secure, { roots: [cert] }), through(proxy.port));
  expect(hopsOf(proxied)).toBe("tcp ok, proxy ok, tls ok");
  expect(proxied[1]!.text).toBe(`Прокси принял имя и пароль и соединил с localhost:${portOf(secure)}`);
  expect(hopsOf(await checkConnectionSteps(at(plain, { tls: false, host: "127.0.0.1" }), null))).toBe("tcp ok");
});

test("a certificate that is not trusted, and a server without TLS, are told apart, and where to look depends on the proxy", async () => {
  const direct = await checkConnectionSteps(at(secure), null);
  expect(hopsOf(direct)).toBe("name ok, tcp ok, tls failed");
  expect(failureOf(direct)).toMatch(/^Сертификат localhost не проходит проверку: По пути кто-то отвечает за него/);
  const proxied = await checkConnectionSteps(at(secure), through(proxy.port));
  expect(failureOf(proxied)).toMatch(/^Сертификат localhost не проходит проверку: Прокси или кто-то за ним/);
  expect(failureOf(await checkConnectionSteps(at(plain), null))).toMatch(
    /^Защищённое соединение с localhost не открылось: Если интернет на сервере есть, доступ закрыт/,
  );
  expect(failureOf(await checkConnectionSteps(at(plain), through(proxy.port)))).toMatch(
    /^Защищённое соединение с localhost не открылось: Прокси соединил, но до платформы данные не доходят/,
  );
});

test("hops behind the one that fails are said to be skipped", async () => {
  const steps = async (server: Partial<CheckedServer>, by = null as ReturnType<typeof through> | null) => {
    const found = await checkConnectionSteps(at(secure, server), by);
    return [hopsOf(found), failureOf(found)];
  };
  expect(await steps({ host: "nowhere.invalid" })).toEqual([
    "name failed, tcp skipped, tls skipped",
    "Сервер nowhere.invalid не найден: Проверьте имя, интернет и DNS на машине, где работает эта установка.",
  ]);
  // A server that its owner has named must be a public one.
  expect(await steps({ ours: false, tls: false })).toEqual([
    "name failed, tcp skipped",
    "Сервер localhost в частной сети: Нужен сервер, доступный из интернета.",
  ]);
  const [hops, refused] = await steps({ port: 9, host: "127.0.0.1" });
  expect(hops).toBe("tcp failed, tls skipped");
  expect(refused).toMatch(/^127\.0\.0\.1:9 не принимает соединения: /);
  expect(await steps({}, through(9))).toEqual([
    "tcp failed, proxy skipped, tls skipped",
    expect.stringContaining("Прокси не принимает соединения"),
  ]);
  expect(await steps({}, through(proxy.port, null))).toEqual([
    "tcp ok, proxy failed, tls skipped",
    expect.stringContaining("Прокси требует имя и пароль"),
  ]);
});
