/** The proxy of an integration: who may name which address, what «Проверить соединение» reports per hop, changing and removing it. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { IntegrationCheck } from "#contract/integrations/connection-check.ts";
import type { Integration } from "#contract/integrations/integrations.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { WAIT } from "#server/test/channels/channel-journey.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import {
  bot,
  check,
  failed,
  http,
  httpUrl,
  key,
  LOGIN,
  operator,
  prepareProxies,
  socks,
  t,
} from "#server/test/integrations/proxy-bench.ts";

prepareProxies();

const socksUrl = (password = LOGIN.password) => `socks5://${LOGIN.user}:${password}@127.0.0.1:${socks.port}`;
const hops = ({ steps }: IntegrationCheck) => steps.map(({ hop, state }) => `${hop} ${state}`).join(", ");

test("the check before connecting says hop by hop how far it gets, and stores nothing", async () => {
  const well = await check(socksUrl());
  expect(well).toMatchObject({ ok: true, message: expect.stringContaining("Соединение есть: @") });
  expect(hops(well)).toBe("tcp ok, proxy ok, platform ok");
  expect(well.steps.every(({ milliseconds }) => milliseconds !== null)).toBe(true);

  const wrong = await check(socksUrl("other"));
  expect(hops(wrong)).toBe("tcp ok, proxy failed, platform skipped");
  expect(failed(wrong)).toMatchObject({
    text: "Прокси не принимает имя и пароль",
    advice: expect.stringContaining("Скопируйте их заново"),
  });
  expect(JSON.stringify(wrong)).not.toContain("other");

  const gone = await check(`socks5://127.0.0.1:9`);
  expect(hops(gone)).toBe("tcp failed, proxy skipped, platform skipped");
  expect(failed(gone).text).toBe("Прокси не принимает соединения");

  for (const [mood, text] of [
    ["garbage", "По этому адресу отвечает не такой прокси"],
    ["forbids", "Прокси не пускает к этому серверу"],
    ["cannot-reach", "Прокси не может соединиться с этим сервером"],
    ["hangs-up", "Прокси оборвал соединение"],
  ] as const) {
    http.mood = mood;
    expect(failed(await check(httpUrl())).text).toBe(text);
  }
  http.mood = "well";
  const named = await check("http://nobody-has-this-name.example.com:8080");
  expect(hops(named)).toBe("name failed, tcp skipped, proxy skipped, platform skipped");
  const without = await check(undefined);
  // Only the proxies can resolve the name.
  expect(hops(without)).toBe("name failed, tcp skipped, platform skipped");
  expect((await operator.get("/api/integrations")).json()).toEqual([]);
});

test("a private address is named by whoever runs the installation alone, and nobody is connected to before", async () => {
  const member = await t.signUp();
  const digitalTwinId = await buildTwin(member);
  socks.targets.length = 0;
  for (const proxy of [socksUrl(), "socks5://10.0.0.7:1080", "http://localhost:3128", "socks5://nas.local:1080"]) {
    for (const answer of [
      await member.post("/api/integrations/create", { digitalTwinId, ...bot(proxy) }),
      await member.post("/api/integrations/check-connection", bot(proxy)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([422, "private_address"]);
    }
  }
  expect(socks.targets).toEqual([]);
  const broken = await member.post("/api/integrations/create", { digitalTwinId, ...bot("proxy.example.com:1080") });
  expect([broken.statusCode, broken.body]).toEqual([422, expect.stringContaining("Начните с вида прокси")]);
});

test("a proxy is set, shown without its password, kept with a new key, and removed", async () => {
  const digitalTwinId = await buildTwin(operator);
  const apiKey = key();
  const made: Integration = (
    await operator.post("/api/integrations/create", { digitalTwinId, ...bot(httpUrl(), apiKey) })
  ).json();
  const path = `/api/integrations/${made.id}`;
  const read = async (client = operator): Promise<Integration> => (await client.get(path)).json();
  const sealed = async () => {
    const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, made.id));
    return { row: row!, proxy: openCredentials(t.services.vault, row!).proxy };
  };
  await expect.poll(async () => (await read()).connection, WAIT).toBe("connected");

  const set = await operator.put(`${path}/proxy`, { proxy: socksUrl() });
  expect([set.statusCode, set.json().settings.proxy]).toEqual([200, `SOCKS5 127.0.0.1:${socks.port}`]);
  expect(set.body).not.toContain(LOGIN.password);
  await expect.poll(async () => (await read()).connection, WAIT).toBe("connected");
  const { row, proxy } = await sealed();
  expect(proxy).toEqual({
    address: { kind: "socks5", host: "127.0.0.1", port: socks.port, ...LOGIN },
    mayBePrivate: true,
  });
  expect(JSON.stringify({ ...row, credentials: row.credentials.toString("latin1") })).not.toContain(LOGIN.password);
  const { organizationId } = operator.caller;
  const viewer = await t.signUp({ organizationId, role: "viewer" });
  expect((await read(viewer)).settings).not.toHaveProperty("proxy");
  expect((await viewer.put(`${path}/proxy`, { proxy: "" })).statusCode).toBe(403);
  expect((await (await t.signUp()).put(`${path}/proxy`, { proxy: "" })).statusCode).toBe(404);

  const next = `${apiKey.split(":")[0]}:second-token-of-a-bot-0123456789abcdefgh`;
  const replaced = await operator.put(`${path}/credentials`, { platform: "telegram", apiKey: next });
  expect(replaced.statusCode, replaced.body).toBe(200);
  expect((await sealed()).proxy).toEqual(proxy);
  const account = await operator.put(`${path}/proxy`, {
    proxy: "tg://proxy?server=mt.example.com&port=443&secret=00112233445566778899aabbccddeeff",
  });
  expect([account.statusCode, account.json().message]).toEqual([
    422,
    expect.stringContaining("только аккаунты Telegram"),
  ]);

  const removed = await operator.put(`${path}/proxy`, { proxy: "" });
  expect(removed.json().settings).not.toHaveProperty("proxy");
  expect((await sealed()).proxy).toBeUndefined();
  // The server is unreachable without the proxy, so nothing may bypass the setting.
  await expect.poll(async () => (await read()).connection, WAIT).toBe("trouble");
  const entries = await t.services.db.select().from(auditLog).where(eq(auditLog.subject, made.id));
  expect(JSON.stringify(entries)).toContain("прокси");
  expect(JSON.stringify(entries)).not.toContain(LOGIN.password);
});
