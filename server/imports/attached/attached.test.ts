/** Recordings and pictures of an export are chosen, stored, recognised by a local service, and deleted with their messages. */
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  FILES,
  history,
  importAll,
  mediaOf,
  originalsOf,
  owner,
  pairsOf,
  prepareAttached,
  QUESTION,
  shown,
  t,
  telegramZip,
  voice,
} from "#server/test/imports/attached-bench.ts";

prepareAttached();

describe("what is said", () => {
  test("stands in its message and makes a question of it, while the owner's own recording is no example of writing", async () => {
    const who = await owner();
    const done = await importAll(who, telegramZip(QUESTION, FILES));
    expect(done.attached).toEqual({ total: 3, read: 3, unsure: 0, failed: 0 });
    const words = "Сколько стоит доставка?";
    expect(await history(who)).toEqual([
      { mine: false, kind: "said", text: words, learnt: true },
      { mine: true, kind: "text", text: "Триста рублей", learnt: true },
      { mine: false, kind: "media", text: words, learnt: false },
      { mine: true, kind: "said", text: words, learnt: true },
      { mine: false, kind: "text", text: "Спасибо", learnt: true },
    ]);
    expect(await pairsOf(who)).toEqual([{ incoming: words, reply: "Триста рублей" }]);
    const [found] = (await shown(who, `?search=${encodeURIComponent("доставка")}`)).toReversed();
    expect(found!.media).toMatchObject([{ kind: "speech", sure: true, hasOriginal: true, text: words }]);
    const original = await who.ann.get(`/api/media/${found!.media![0]!.id}`);
    expect(original.rawPayload.toString()).toBe(voice("one").toString());
    // No message names the photo's thumbnail, and the upload was deleted.
    expect(await originalsOf((await mediaOf(who)).map(({ storedName }) => storedName))).toBe(3);
    const { rows } = await t.services.db.execute(
      sql`select stored_name from imports where org_id = ${who.ann.caller.organizationId} and stored_name is not null`,
    );
    expect(rows).toEqual([]);
  });
});

describe("a stranger's archive", () => {
  test("gives no more than it may: damaged, mislabelled, too large, squeezed and unnamed files stay where they are", async () => {
    const who = await owner();
    const lines = ["text", "bomb", "lie", "gone", "up"].map((name) => ({ voice: `v/${name}.ogg` }));
    lines.push({ voice: "../../etc/passwd" }, { voice: "v/good.ogg" });
    const files = [
      { name: "v/text.ogg", content: Buffer.from("these are letters and no sound") },
      { name: "v/bomb.ogg", content: Buffer.alloc(19e6) },
      { name: "v/lie.ogg", content: voice("one"), size: 20 },
      { name: "v/good.ogg", content: voice("good") },
      { name: "v/unnamed.ogg", content: voice("nobody's") },
    ];
    const all = [...lines, { mine: true, text: "Да" }];
    const done = await importAll(who, telegramZip(all, files), {});
    expect(done.attached).toEqual({ total: 3, read: 3, unsure: 0, failed: 2 });
    expect((await mediaOf(who)).map(({ state, note }) => [state, note])).toEqual([
      ["failed", "Файл в выгрузке повреждён, или это не запись и не картинка."],
      ["failed", "Файл в выгрузке повреждён, или это не запись и не картинка."],
      ["done", null],
    ]);
  });
});

describe("who may have them, and until when", () => {
  test("only the history's owner, not a colleague either", async () => {
    const who = await owner();
    await importAll(who, telegramZip(QUESTION, FILES));
    const { id } = (await mediaOf(who))[0]!;
    const admin = await t.signUp({ role: "org_admin", organizationId: who.ann.caller.organizationId });
    const stranger = await t.signUp();
    for (const other of [admin, stranger]) expect((await other.get(`/api/media/${id}`)).statusCode).toBe(404);
    expect((await who.ann.get(`/api/media/${id}`)).statusCode).toBe(200);
  });
});
