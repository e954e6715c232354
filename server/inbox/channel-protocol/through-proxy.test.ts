import { expect, test } from "vitest";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { type Channel, ChannelTrouble, type SendResult } from "./channel.ts";
import { throughProxy, unavailableMessage } from "./through-proxy.ts";

const proxy = (problem: string | null, kind = "socks5") =>
  ({ failure: () => problem && { problem }, settings: { address: { kind } } }) as unknown as Proxied;
const REFUSED = "Прокси не принимает соединения";
const away: SendResult = { ok: false, kind: "retry", afterMs: 5000, message: "Slack недоступен", externalIds: [] };
const unknown: SendResult = { ok: false, kind: "unknown", message: "Связь прервалась", externalIds: [] };

function channel(trouble: Error, result: SendResult = away): Channel {
  const fail = () => Promise.reject(trouble);
  return { verify: fail, receive: fail, announce: fail, send: async () => result } as unknown as Channel;
}
const send = (by: Proxied, result: SendResult) =>
  throughProxy(channel(new Error("unused"), result), by).send({} as Parameters<Channel["send"]>[0]);

test("where the proxy failed its failure is named, for each call and for what is not sent", async () => {
  const through = throughProxy(channel(new ChannelTrouble("away", "Slack недоступен")), proxy("refused"));
  const calls = [
    () => through.verify(),
    () => through.receive({} as Parameters<Channel["receive"]>[0]),
    () => through.announce!({} as Parameters<NonNullable<Channel["announce"]>>[0], AbortSignal.timeout(1000)),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ kind: "away", message: REFUSED });
  expect(await send(proxy("refused"), away)).toEqual({ ...away, message: REFUSED, away: true });
});

test("what the platform itself has said stays: a refused key, a wait, a broken send, and everything while the proxy works", async () => {
  const verify = (trouble: Error, by = proxy("refused")) => throughProxy(channel(trouble), by).verify();
  await expect(verify(new ChannelTrouble("auth", "Ключ отозван"))).rejects.toMatchObject({ message: "Ключ отозван" });
  await expect(verify(new ChannelTrouble("away", "Подождите", 7000))).rejects.toMatchObject({ message: "Подождите" });
  await expect(verify(new TypeError("a bug"))).rejects.toThrow("a bug");
  expect(await send(proxy("refused"), unknown)).toEqual(unknown);
  expect(await send(proxy("refused"), { ok: true, externalIds: ["1"] })).toEqual({ ok: true, externalIds: ["1"] });
  expect(await send(proxy(null), away)).toEqual(away);
});

test("MTProxy does not say that its secret is wrong, so its link is named", () => {
  expect(unavailableMessage(proxy(null, "mtproxy"), "Telegram недоступен")).toBe(
    "Telegram недоступен через MTProxy: проверьте ссылку на него",
  );
  expect(unavailableMessage(proxy(null), "Telegram недоступен")).toBe("Telegram недоступен");
});
