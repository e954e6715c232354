import { expect, test } from "vitest";
import { aSecond, bot, CHAT, out } from "#server/test/channels/max-client-bench.ts";
import { startMaxServer } from "#server/test/servers/max-server.ts";

test("a long answer goes in parts of 4,000 characters, at the pace that MAX takes, and continues after its delivered parts", async () => {
  const server = await startMaxServer();
  const long = Array.from({ length: 1500 }, (_, place) => `Слово${place}`).join(" ");
  expect(await bot(server.root).send(out(long))).toMatchObject({ ok: true, externalIds: { length: 4 } });
  expect(server.sent.every(({ text }) => text.length <= 4000)).toBe(true);
  expect(server.sent.map(({ text }) => text).join(" ")).toBe(long);
  await aSecond();
  expect(await bot(server.root).send(out(long, 3))).toMatchObject({ ok: true, externalIds: { length: 1 } });
  expect(server.sent.at(-1)!.text).toMatch(/Слово1499$/);
  expect(server.faults).toEqual([]);
  await server.close();
});

test("what is not found is unknown, however alike an earlier message is, and nothing is sent again", async () => {
  const server = await startMaxServer();
  await bot(server.root).send(out("Да, работаем до восьми"));
  await aSecond();
  const unknown = {
    ok: false,
    kind: "unknown",
    message: "Связь с MAX прервалась: дошло ли сообщение, неизвестно",
    externalIds: [],
  };
  server.fates.await(CHAT, { kind: "hang" });
  expect(await bot(server.root, { sendMs: 200 }).send(out("Да, работаем до восьми"))).toEqual(unknown);
  // A cancelled send does not check any more.
  const reads = server.reads;
  server.fates.await(CHAT, { kind: "hang-after-accept" });
  expect(await bot(server.root).send(out("Завтра"), AbortSignal.timeout(200))).toEqual(unknown);
  expect(server.reads).toBe(reads);
  // MAX cannot be queried.
  await aSecond();
  server.blind = 99;
  server.fates.await(CHAT, { kind: "refused", status: 502, body: "<html>" });
  expect(await bot(server.root).send(out("Послезавтра"))).toEqual(unknown);
  expect(server.sends).toBe(4);
  await server.close();
});
