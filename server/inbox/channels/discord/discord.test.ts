import { afterAll, beforeAll, expect, test } from "vitest";
import { type DiscordServer, startDiscordServer } from "#server/test/servers/discord-server.ts";
import { startProvider } from "#server/test/servers/provider-server.ts";
import { discord } from "./discord.ts";

let server: DiscordServer;
beforeAll(async () => {
  server = await startDiscordServer();
});
afterAll(() => server.close());

const bot = (token = "good.1", apiUrl = server.root) => discord({ token, apiUrl });
const out = (conversation: string, more: object = {}) => ({
  ...{ key: "8b6f2a4e-0000-4000-8000-000000000000", conversation, context: {}, lastInboundAt: null },
  ...{ text: "Да", delivered: 0, ...more },
});
const refused = (status: number, body: object = {}) => ({ kind: "refused", status, body }) as const;

test("a long answer continues after its delivered parts", async () => {
  const text = Array.from({ length: 400 }, (_, place) => `Слово${place}`).join(" ");
  expect(await bot().send(out("300", { text, delivered: 1 }))).toMatchObject({ ok: true });
  expect(server.sent).toMatchObject([{ channel: "300", content: expect.stringMatching(/Слово399$/) }]);
});

test("an answer of several messages goes out as several, and continues after the delivered ones", async () => {
  const parted = { text: "Да, есть.\n\nЗаберёте сегодня?", parted: true, key: "several" };
  const { externalIds } = await bot().send(out("310", parted));
  expect(externalIds).toHaveLength(2);
  expect(await bot().send(out("311", { ...parted, key: "again", delivered: 1 }))).toMatchObject({ ok: true });
  const contents = (of: string) => server.sent.filter(({ channel }) => channel === of).map(({ content }) => content);
  expect(contents("310")).toEqual(["Да, есть.", "Заберёте сегодня?"]);
  expect(contents("311")).toEqual(["Заберёте сегодня?"]);
});

test("the result of a refused send says whether another try helps", async () => {
  server.fates.await("301", refused(403, { message: "no", code: 50007 }));
  expect(await bot().send(out("301"))).toEqual({
    ...{ ok: false, kind: "blocked", externalIds: [], message: "Собеседник не принимает сообщения бота" },
  });
  expect(await bot("of.another.bot").send(out("302"))).toMatchObject({ ok: false, kind: "auth" });
  server.fates.await("303", {
    ...refused(429, { message: "slow down", retry_after: 60 }),
    headers: { "retry-after": "60" },
  });
  expect(await bot().send(out("303"))).toMatchObject({ ok: false, kind: "retry" });
  const { root, close } = await startProvider(() => {});
  await close();
  expect(await bot("good.1", root).send(out("304"))).toMatchObject({ ok: false, kind: "retry" });
});

test("a cancelled send is unknown, and is not repeated", async () => {
  server.fates.await("305", { kind: "hang" });
  expect(await bot().send(out("305"), AbortSignal.timeout(50))).toMatchObject({ ok: false, kind: "unknown" });
  expect(server.sent.filter(({ channel }) => channel === "305")).toEqual([]);
});

test("a refused token is named, and an unreachable Discord is not taken for one", async () => {
  expect(await bot().verify(AbortSignal.timeout(5_000))).toMatchObject({ id: "1", name: "twin_bot" });
  await expect(bot("of.another.bot").verify()).rejects.toMatchObject({ kind: "auth" });
  const { root, close } = await startProvider(() => {});
  await close();
  await expect(bot("good.1", root).verify()).rejects.toMatchObject({ kind: "away" });
});

test("a message that was set aside is read again from its stored copy", async () => {
  const said = server.say("306", "Сколько стоит?");
  expect(await bot().reread!(said)).toMatchObject([{ conversation: "306", text: "Сколько стоит?" }]);
  expect(await bot().reread!({ ...said, guild_id: "1" })).toEqual([]);
});
