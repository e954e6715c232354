/**
 * Each platform through a proxy: a question, an answer, and the proxy's failure and return. Only the proxy can resolve the platforms'
 * names, so a connection that bypasses it would fail.
 */
import { expect, test } from "vitest";
import { drafted, WAIT } from "#server/test/channels/channel-journey.ts";
import {
  approveFirst,
  connect,
  prepareProxied,
  socks,
  socksUrl,
  stateOf,
  telegram,
} from "#server/test/channels/proxied-bench.ts";
import type { ProxyServer } from "#server/test/servers/proxy-server.ts";

prepareProxied();

const BOT_TOKEN = "501:token-of-a-bot-0123456789abcdefghij";
const hostsOf = (proxy: ProxyServer) => [...new Set(proxy.targets.map((target) => target.split(":")[0]))];

test("a bot is answered and answers through SOCKS5; when the proxy dies the channel reports it and reconnects automatically", async () => {
  const bot = await connect({ platform: "telegram", apiKey: BOT_TOKEN }, socksUrl());
  expect(bot.made.settings.proxy).toBe(`SOCKS5 127.0.0.1:${socks.port}`);
  await expect.poll(() => stateOf(bot), WAIT).toEqual({ connection: "connected", trouble: null });
  telegram.say(BOT_TOKEN, 7001, "Сколько стоит доставка?");
  await approveFirst(bot);
  await expect.poll(() => telegram.sent.length, WAIT).toBe(1);

  await socks.stop();
  await expect
    .poll(() => stateOf(bot), WAIT)
    .toEqual({ connection: "trouble", trouble: "Прокси не принимает соединения" });
  telegram.say(BOT_TOKEN, 7002, "Вы здесь?");
  await socks.start();
  await expect.poll(() => stateOf(bot), WAIT).toEqual({ connection: "connected", trouble: null });
  await drafted(bot.ann);
  // A connection cut during a long poll continues as well.
  socks.cut();
  telegram.say(BOT_TOKEN, 7003, "И ещё один вопрос");
  await drafted(bot.ann, 2);
  expect(hostsOf(socks)).toEqual(["platform.test"]);
});
