/** Local platforms that are reached through local proxies. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Integration } from "#contract/integrations/integrations.ts";
import {
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { createLog } from "#server/platform/log.ts";
import { approvals, drafted } from "#server/test/channels/channel-journey.ts";
import { dcOf } from "#server/test/channels/telegram-account.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type DiscordServer, startDiscordServer } from "#server/test/servers/discord-server.ts";
import { findDovecot, type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type MaxServer, startMaxServer } from "#server/test/servers/max-server.ts";
import { type ProxyServer, startHttpProxy, startMtproxy, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { type SlackServer, startSlackServer } from "#server/test/servers/slack-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { startVkServer, type VkServer } from "#server/test/servers/vk-server.ts";
import { startWhatsappServer, type WhatsappServer } from "#server/test/servers/whatsapp-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const LOGIN = { user: "shop", password: "canary-of-the-proxy" };
export const SECRET = "00112233445566778899aabbccddeeff";
export const MAILBOX = "ann@mail.test";
export const dovecot = findDovecot();

export let t: TestApp;
let supervisor: Supervisor;
export let socks: ProxyServer;
export let http: ProxyServer;
export let mtproxy: ProxyServer;
export let telegram: TelegramServer;
export let people: TelegramAccountServer;
export let slack: SlackServer;
export let discord: DiscordServer;
export let meta: WhatsappServer;
export let vk: VkServer;
export let max: MaxServer;
export let mail: MailServers | null = null;
export const logged: string[] = [];
export const named = (root: string) => root.replace("127.0.0.1", "platform.test");

export const socksUrl = () => `socks5://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${socks.port}`;

export interface Shop {
  ann: TestClient;
  id: string;
  made: Integration;
}

export async function connect(
  fields: { platform: string; settings?: object; [key: string]: unknown },
  proxy: string,
): Promise<Shop> {
  // The operator may name a proxy on this machine.
  const ann = await t.signUp({ superAdmin: true });
  const digitalTwinId = await buildTwin(ann);
  const body = { digitalTwinId, ...fields, settings: { ...fields.settings, proxy } };
  const answer = await ann.post("/api/integrations/create", body);
  expect(answer.statusCode, answer.body).toBe(201);
  return { ann, id: answer.json().id, made: answer.json() };
}
export const read = async ({ ann, id }: Pick<Shop, "ann" | "id">): Promise<Integration> =>
  (await ann.get(`/api/integrations/${id}`)).json();
export const stateOf = async (shop: Pick<Shop, "ann" | "id">) => {
  const { connection, trouble } = await read(shop);
  return { connection, trouble };
};
export async function approveFirst({ ann }: Shop): Promise<void> {
  await drafted(ann);
  const [draft] = await approvals(ann);
  await ann.put(`/api/approvals/${draft!.id}`, { text: "Доставка бесплатная" });
  await ann.post(`/api/approvals/${draft!.id}/approve`);
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareProxied(): void {
  beforeAll(async () => {
    [telegram, people, slack] = [
      await startTelegramServer(),
      await startTelegramAccountServer(),
      await startSlackServer(),
    ];
    [discord, meta] = [await startDiscordServer(), await startWhatsappServer()];
    [vk, max] = [await startVkServer(), await startMaxServer()];
    if (dovecot !== undefined)
      mail = await startMailServers(dovecot, { [MAILBOX]: "app password", "ivan@mail.test": "1" });
    [socks, http] = [await startSocks5(LOGIN), await startHttpProxy(LOGIN)];
    const dc = dcOf(people);
    mtproxy = await startMtproxy(Buffer.from(SECRET, "hex"), dc);
    const log = createLog("trace", { write: (line: string) => void logged.push(line) });
    t = await testApp(
      {
        telegramApiRoot: named(telegram.root),
        slackApiUrl: named(slack.root),
        discordApiUrl: named(discord.root),
        whatsappGraphUrl: named(meta.root),
        vkApiUrl: named(vk.root),
        maxApiUrl: named(max.root),
        emailServers: mail && {
          imap: mail.imap.replace("127.0.0.1", "mail.test"),
          smtp: mail.smtp.replace("127.0.0.1", "mail.test"),
        },
        telegramDc: { ...dc, host: "telegram.test" },
        publicUrl: "https://twins.example",
      },
      log,
    );
    supervisor = startSupervisor(t.services, { everyMs: 200, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    for (const server of [socks, http, mtproxy, telegram, people, slack, discord, meta, vk, max, mail])
      await server?.close();
  });
}
