import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { IntegrationCheck } from "#contract/integrations/connection-check.ts";
import { API_HASH, LOGIN_CODE } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { openChannel } from "#server/inbox/channels/registry.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { WAIT } from "#server/test/channels/channel-journey.ts";
import {
  approveFirst,
  connect,
  discord,
  dovecot,
  http,
  LOGIN,
  logged,
  MAILBOX,
  mail,
  max,
  meta,
  mtproxy,
  named,
  people,
  prepareProxied,
  read,
  SECRET,
  type Shop,
  slack,
  socks,
  socksUrl,
  stateOf,
  t,
  vk,
} from "#server/test/channels/proxied-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { maxAttachments, maxToken } from "#server/test/servers/max-server.ts";
import { slackMessage } from "#server/test/servers/slack-server.ts";
import { vkAttachments, vkKey } from "#server/test/servers/vk-server.ts";
import { whatsappDelivery, whatsappMessage, whatsappSignature } from "#server/test/servers/whatsapp-server.ts";

prepareProxied();

const APP_SECRET = "secret-of-an-app";
const httpUrl = () => `http://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${http.port}`;
const mtproxyUrl = (secret = SECRET) => `tg://proxy?server=127.0.0.1&port=${mtproxy.port}&secret=${secret}`;
const rowOf = async (id: string) =>
  (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!;
/** Runs «Проверить соединение» before anything is stored. */
async function hopsOf(credentials: object, proxy: string): Promise<string> {
  const operator = await t.signUp({ superAdmin: true });
  const answer = await operator.post("/api/integrations/check-connection", { ...credentials, settings: { proxy } });
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as IntegrationCheck).steps.map(({ hop, state }) => `${hop} ${state}`).join(", ");
}
/** Fetches a file at an address that only the proxy can resolve. */
async function fetchedBy({ id }: Shop, url: string): Promise<string> {
  const row = await rowOf(id);
  const channel = openChannel(openCredentials(t.services.vault, row), t.services.config, row)!;
  return (await channel.fetchMedia!({ url }, { maxBytes: 100, signal: AbortSignal.timeout(10_000) })).toString();
}

test("Slack's calls and its socket go through an HTTP proxy", async () => {
  const shop = await connect({ platform: "slack", apiKey: "xoxb-1", settings: { app_token: "xapp-1" } }, httpUrl());
  await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
  await expect.poll(() => slack.opened, WAIT).toBeGreaterThan(0);
  slack.push(randomUUID(), slackMessage("D1", "Сколько стоит доставка?"));
  await approveFirst(shop);
  await expect.poll(() => slack.sent.length, WAIT).toBe(1);
  // The socket's own address is on this machine, and was reached through the proxy too.
  const { port } = new URL(slack.root);
  expect(http.targets).toContain(`127.0.0.1:${port}`);
});

test("Discord's calls and its gateway go through a proxy, also when a session is resumed", async () => {
  const shop = await connect({ platform: "discord", apiKey: "good.proxied.key" }, socksUrl());
  await expect.poll(() => discord.identified, WAIT).toBe(1);
  discord.say("100", "Сколько стоит доставка?");
  await approveFirst(shop);
  await expect.poll(() => discord.sent.length, WAIT).toBe(1);
  const gateway = `127.0.0.1:${new URL(discord.root).port}`;
  expect(socks.targets).toContain(gateway);
  const before = socks.targets.filter((target) => target === gateway).length;
  discord.drop(1001);
  await expect.poll(() => discord.resumed, WAIT).toBe(1);
  expect(socks.targets.filter((target) => target === gateway)).toHaveLength(before + 1);
});

test("WhatsApp is checked and answered through an HTTP proxy", async () => {
  const shop = await connect(
    { platform: "whatsapp", apiKey: "EAA-7", phoneNumber: "8 (999) 000-00-07", settings: { app_secret: APP_SECRET } },
    httpUrl(),
  );
  const payload = JSON.stringify(
    whatsappDelivery("1055507", {
      messages: [whatsappMessage("79001112233", "wamid.proxied", "Сколько стоит доставка?")],
    }),
  );
  const url = new URL(shop.made.webhook!.url).pathname;
  const headers = { "content-type": "application/json", ...whatsappSignature(payload, APP_SECRET) };
  expect((await t.anonymous.inject({ method: "POST", url, payload, headers })).statusCode).toBe(200);
  await approveFirst(shop);
  await expect.poll(() => meta.sent.length, WAIT).toBe(1);
});

describe.each([
  ["SOCKS5", () => socks, socksUrl, 31],
  ["an HTTP proxy", () => http, httpUrl, 32],
] as const)("through %s", (_kind, proxy, url, number) => {
  test("a community in VK is checked hop by hop, polled, answered, and its files are fetched", async () => {
    const credentials = { platform: "vk", apiKey: vkKey(number) };
    expect(await hopsOf(credentials, url())).toBe("tcp ok, proxy ok, platform ok");
    const shop = await connect(credentials, url());
    expect(shop.made.webhook).toBeNull();
    await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
    vk.say(number, 7000 + number, "Сколько стоит доставка?");
    await approveFirst(shop);
    await expect.poll(() => vk.sent.filter(({ peer }) => peer === 7000 + number).length, WAIT).toBe(1);
    // The queue's own address is on this machine, and was reached through the proxy too.
    const { port } = new URL(vk.root);
    for (const host of ["platform.test", "127.0.0.1"]) expect(proxy().targets).toContain(`${host}:${port}`);
    vk.kept.set("page.png", Buffer.from("bytes"));
    const { doc } = vkAttachments({ ...vk, root: named(vk.root) }).document("page.png", 4);
    expect(await fetchedBy(shop, doc.url)).toBe("bytes");
  });

  test("a bot in MAX is checked hop by hop, polled, answered, and its files are fetched", async () => {
    const credentials = { platform: "max", apiKey: maxToken(number) };
    expect(await hopsOf(credentials, url())).toBe("tcp ok, proxy ok, platform ok");
    const shop = await connect(credentials, url());
    expect(shop.made.webhook).toBeNull();
    await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
    const sent = max.sent.length;
    max.say(maxToken(number), 7000 + number, "Сколько стоит доставка?");
    await approveFirst(shop);
    await expect.poll(() => max.sent.length, WAIT).toBe(sent + 1);
    expect(proxy().targets).toContain(`platform.test:${new URL(max.root).port}`);
    max.kept.set("said.ogg", Buffer.from("bytes"));
    const { payload } = maxAttachments({ ...max, root: named(max.root) }).voice("said.ogg");
    expect(await fetchedBy(shop, payload.url)).toBe("bytes");
  });
});

test("when its proxy dies, a VK community reports it, sends nothing directly, and reconnects automatically", async () => {
  const shop = await connect({ platform: "vk", apiKey: vkKey(41) }, socksUrl());
  await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
  await socks.stop();
  await expect
    .poll(() => stateOf(shop), WAIT)
    .toEqual({ connection: "trouble", trouble: "Прокси не принимает соединения" });
  vk.say(41, 7041, "Вы здесь?");
  await socks.start();
  await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
  await approveFirst(shop);
  await expect.poll(() => vk.sent.filter(({ peer }) => peer === 7041).length, WAIT).toBe(1);
  expect(vk.faults).toEqual([]);
});

describe.skipIf(dovecot === undefined)("a mailbox", () => {
  test("is read and answered through SOCKS5, its servers' certificates verified by their own names", async () => {
    const fields = { platform: "email", apiKey: "app password", settings: { address: MAILBOX } };
    const shop = await connect(fields, socksUrl());
    await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
    await expect.poll(async () => "inbox" in (await rowOf(shop.id)).cursor, WAIT).toBe(true);
    const letter = ["From: Ivan <ivan@mail.test>", `To: ${MAILBOX}`, `Message-ID: <${randomUUID()}@mail.test>`];
    await mail!.deliver(
      MAILBOX,
      `${[...letter, "Subject: Q", "Content-Type: text/plain; charset=utf-8"].join("\r\n")}\r\n\r\nСколько стоит доставка?`,
    );
    await approveFirst(shop);
    await expect.poll(() => mail!.sent.length, WAIT).toBe(1);
    const ports = [mail!.imap, mail!.smtp].map((address) => `mail.test:${/:(\d+)/.exec(address.slice(8))![1]}`);
    for (const target of ports) expect(socks.targets).toContain(target);
  });
});

describe.each([
  ["SOCKS5", () => socks, socksUrl, 79003330001],
  ["MTProxy", () => mtproxy, () => mtproxyUrl(), 79003330002],
] as const)("a person's account through %s", (_kind, proxy, url, phone) => {
  test("signs in, receives and answers; the session is never used directly", async () => {
    const ann = await t.signUp({ superAdmin: true });
    const account = people.person(String(phone), { name: "Анна" });
    people.addDialog(account, 501, "Иван", ["привет"]);
    const twinId = await buildTwin(ann);
    const setup = { apiId: "123456", apiHash: API_HASH, phoneNumber: `+${phone}`, twinId, proxy: url() };
    const sent = await ann.post("/api/integrations/telegram/send-code", setup);
    expect(sent.statusCode, sent.body).toBe(200);
    const path = "/api/integrations/telegram/verify-code";
    const verified = await ann.post(path, { ...setup, ...(sent.json() as object), verificationCode: LOGIN_CODE });
    const shop = { ann, id: verified.json().integration.id } as Shop;
    expect((await read(shop)).settings.proxy).toContain(`127.0.0.1:${proxy().port}`);
    await expect.poll(() => stateOf(shop), WAIT).toEqual({ connection: "connected", trouble: null });
    await expect.poll(async () => "pts" in (await rowOf(shop.id)).cursor, WAIT).toBe(true);
    people.say(account, 501, "Сколько стоит доставка?");
    await approveFirst(shop);
    await expect.poll(() => account.sent.length, WAIT).toBe(1);
    expect(proxy().targets.length).toBeGreaterThan(1);
  });
});

test("an MTProxy with another secret allows no sign-in, and says where to look", async () => {
  const ann = await t.signUp({ superAdmin: true });
  const settings = { proxy: mtproxyUrl("ffeeddccbbaa99887766554433221100") };
  const trial = { platform: "telegram", apiKey: "userbot", apiId: "123456", apiHash: API_HASH, settings };
  const checked: IntegrationCheck = (await ann.post("/api/integrations/check-connection", trial)).json();
  expect(checked.ok).toBe(false);
  expect(checked.steps.map(({ hop, state }) => `${hop} ${state}`)).toEqual(["tcp ok", "platform failed"]);
  expect(checked.steps.at(-1)!.text).toBe("Telegram недоступен через MTProxy: проверьте ссылку на него");
}, 40_000);

test("no answer, no log and no open column has a proxy's password or secret; sealed it is there", async () => {
  const rows = await t.services.db.select().from(integrations);
  const text = JSON.stringify(
    rows.map(({ credentials, ...row }) => ({ ...row, sealed: credentials.toString("latin1") })),
  );
  for (const secret of [LOGIN.password, SECRET]) {
    expect(text).not.toContain(secret);
    expect(logged.join("\n")).not.toContain(secret);
  }
  const bot = rows.find(({ platform }) => platform === "slack")!;
  expect(openCredentials(t.services.vault, bot).proxy).toMatchObject({
    address: { password: LOGIN.password },
    mayBePrivate: true,
  });
});
