/** Imports a connected account's history from a local MTProto server: what is read, the progress, and interruptions. */
import { expect, test } from "vitest";
import { connect, prepareAccountImport, read, stateOf, stored } from "#server/test/imports/account-import-bench.ts";

prepareAccountImport();

test("the latest messages of private dialogs are imported like from an export file", async () => {
  const connected = await connect();
  const { ann, id } = connected;
  expect(await stateOf(connected)).toMatchObject({ status: "none" });
  const answer = await read(connected);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().stats).toEqual({
    dialogsProcessed: 3,
    totalMessages: 146,
    analysis: {
      communicationStyle: expect.stringMatching(/[а-я]/),
      personality: "Внимательная, спокойная, шутит редко",
      expertise: ["Доставка и возврат"],
    },
  });
  const rows = await stored(connected);
  const of = (chat: string) => rows.filter((row) => row.chat === chat);
  expect(["user501", "user502", "user503"].map((chat) => of(chat).length)).toEqual([100, 40, 6]);
  expect(of("user501")[0]).toMatchObject({ kind: "private", id: "31", own: false, text: "доставка, сообщение 31" });
  expect(of("user501").at(-1)).toMatchObject({ id: "130", own: true });
  expect(rows.map(({ text }) => text).join()).not.toMatch(/Код|группа|канал|бот/);
  expect(await stateOf(connected)).toMatchObject({
    status: "done",
    dialogs: 3,
    dialogsDone: 3,
    messages: 146,
    progress: 1,
  });
  const [shown] = (await ann.get("/api/integrations")).json();
  expect(shown).toMatchObject({ id, messagesImported: 146, lastSync: expect.any(String) });
  expect((await ann.get("/api/imports")).json()).toEqual([]);
});
