import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatMessage, Conversation } from "#contract/conversations/conversations.ts";
import type { FoundMessages } from "#contract/conversations/message-search.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { messagesWith, searchMessages } from "./search-messages.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Creates a conversation with a contact, or the member's test chat, with these lines in order. */
async function talk(
  client: TestClient,
  twinId: string,
  lines: readonly string[],
  { name = "Анна", userId = null }: { name?: string; userId?: string | null } = {},
): Promise<string> {
  const { organizationId: orgId } = client.caller;
  return asTenant(t.services.db, client.caller, async (tx) => {
    const [made] = await tx
      .insert(conversations)
      .values({ orgId, twinId, userId, platform: userId ? "test" : "telegram", participantName: name })
      .returning({ id: conversations.id });
    const conversationId = made!.id;
    await tx.insert(conversationMessages).values(
      lines.map((content, at) => ({
        orgId,
        conversationId,
        role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content,
        secrecy: "organization" as const,
      })),
    );
    return conversationId;
  });
}

const find = async (client: TestClient, q: string, more = ""): Promise<FoundMessages> => {
  const answer = await client.get(`/api/conversations/search?q=${encodeURIComponent(q)}${more}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const texts = async (client: TestClient, q: string, more = "") =>
  (await find(client, q, more)).messages.map(({ excerpt }) => excerpt);
const listed = async (client: TestClient, q: string, more = ""): Promise<Conversation[]> =>
  (await client.get(`/api/conversations?q=${encodeURIComponent(q)}${more}`)).json();

describe("words in conversations", () => {
  test("are found in any case, as parts of words, with «ё» for «е», and in any order", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await talk(ann, twinId, ["Где купить ЁЛКУ?", "Доставим ёлочку завтра к обеду"]);
    expect(await texts(ann, "елк")).toEqual(["Где купить ЁЛКУ?"]);
    expect(await texts(ann, "ЁЛОЧКУ")).toEqual(["Доставим ёлочку завтра к обеду"]);
    expect(await texts(ann, "обед доставим")).toEqual(["Доставим ёлочку завтра к обеду"]);
    expect(await texts(ann, "автр")).toEqual(["Доставим ёлочку завтра к обеду"]);
    expect(await texts(ann, "обед купить")).toEqual([]);
    expect((await listed(ann, "автр"))[0]?.match).toBe("Доставим ёлочку завтра к обеду");
  });

  test("are found that are too short for the index, and signs that it does not keep", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await talk(ann, twinId, ["Скидка 50% на всё", "Да_нет, \\ это всё"]);
    expect(await texts(ann, "0%")).toEqual(["Скидка 50% на всё"]);
    expect(await texts(ann, "а_н")).toEqual(["Да_нет, \\ это всё"]);
    expect(await texts(ann, "да_нет \\")).toEqual(["Да_нет, \\ это всё"]);
    expect(await texts(ann, "%")).toEqual(["Скидка 50% на всё"]);
    expect(await texts(ann, "'; drop table twins; --")).toEqual([]);
    expect((await listed(ann, "0%")).map(({ match }) => match)).toEqual(["Скидка 50% на всё"]);
  });

  test("are found in other forms, after all messages that hold them as typed, page by page and without gaps", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const id = await talk(ann, twinId, [
      ...["Сколько стоит доставка?", "Доставка бесплатная", "Доставки нет, в другие города не возим"],
      ...["О доставке в белых коробках", "Недоставки не бывает", "Доставщик приедет"],
    ]);
    const all = await find(ann, "доставка");
    expect(all.messages.map(({ excerpt }) => excerpt)).toEqual([
      ...["Доставка бесплатная", "Сколько стоит доставка?"],
      ...["О доставке в белых коробках", "Доставки нет, в другие города не возим"],
    ]);
    expect([all.next, all.forms]).toEqual([null, ["доставке", "доставки"]]);
    for (const limit of [1, 2, 3]) {
      const paged: string[] = [];
      let more = "";
      for (let page = 0; page < 6; page++) {
        const { messages, next } = await find(ann, "доставка", `&limit=${limit}${more}`);
        paged.push(...messages.map(({ excerpt }) => excerpt));
        if (next === null) break;
        more = `&before=${next}`;
      }
      expect(paged, `${limit}`).toEqual(all.messages.map(({ excerpt }) => excerpt));
    }
    expect(await texts(ann, "белая доставка")).toEqual(["О доставке в белых коробках"]);
    expect((await listed(ann, "коробка")).map((found) => [found.id, found.match])).toEqual([
      [id, "О доставке в белых коробках"],
    ]);
    expect((await ann.get("/api/conversations/search?q=a&before=ff")).statusCode).toBe(400);
    expect((await ann.get("/api/conversations/search?q=a&before=")).statusCode).toBe(400);
  });

  test("are shown between whole words", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const before = "Предварительно договоримся, что самовывоз ";
    for (let letters = 0; letters < 12; letters++)
      await talk(ann, twinId, [`${before}${"ы".repeat(letters)} оплачивается ${"заранее наличными ".repeat(12)}`]);
    const found = await texts(ann, "оплачиваются");
    expect(found).toHaveLength(12);
    for (const excerpt of found) {
      expect(excerpt).toMatch(
        /^…(Предварительно |договоримся, |что |самовывоз )+ы* ?оплачивается .*(заранее|наличными)…$/,
      );
      expect(excerpt.length).toBeLessThan(165);
    }
  });

  test("show who said them, when and where, with the text around them", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const long = `${"Начало письма. ".repeat(20)}Посылка уже в пути.${" Конец письма.".repeat(20)}`;
    const conversationId = await talk(ann, twinId, [long, "Спасибо"], { name: "Пётр" });
    const { messages, next } = await find(ann, "посылка");
    expect(next).toBeNull();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ conversationId, participantName: "Пётр", platform: "telegram", role: "user" });
    expect(messages[0]!.excerpt).toMatch(/^….*Посылка уже в пути\..*…$/);
    expect(messages[0]!.excerpt.length).toBeLessThan(170);
  });

  test("find a conversation beside its messages only by a name, which the last message may complete", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann, { name: "Секретарь" });
    await talk(ann, twinId, ["Я Мария, доставка нужна завтра"], { name: "Пётр" });
    await talk(ann, twinId, ["Спасибо", "Доставка будет в среду"], { name: "Мария" });
    const named = async (q: string) =>
      (await listed(ann, q, "&named=1")).map(({ participants, match }) => [participants.name, match]);
    expect(await named("мария")).toEqual([["Мария", null]]);
    expect(await named("доставка")).toEqual([]);
    expect(await named("спасибо мария")).toEqual([]);
    expect(await listed(ann, "доставка")).toHaveLength(2);
    expect((await ann.get("/api/conversations?q=a&named=2")).statusCode).toBe(400);
  });

  test("come newest first, page by page, without gaps", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const lines = Array.from({ length: 70 }, (_, at) => `Заказ номер ${at}`);
    await talk(ann, twinId, lines);
    const found: string[] = [];
    let more = "";
    for (let page = 0; page < 3; page++) {
      const { messages, next } = await find(ann, "заказ", more);
      found.push(...messages.map(({ excerpt }) => excerpt));
      more = `&before=${next}`;
    }
    expect(found).toEqual(lines.toReversed());
  });

  test("that thousands of messages hold are found newest first all the same", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const first = await talk(ann, twinId, ["Самая первая доставка"]);
    const many = await talk(ann, twinId, ["…"]);
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.execute(sql`insert into conversation_messages (org_id, conversation_id, role, content)
        select ${ann.caller.organizationId}::uuid, ${many}::uuid, 'user', 'Доставка ' || n from generate_series(1, 5200) n`),
    );
    expect(await asTenant(t.services.db, ann.caller, (tx) => messagesWith(tx, ["доставка"]))).toBeNull();
    expect((await texts(ann, "доставка")).slice(0, 2)).toEqual(["Доставка 5200", "Доставка 5199"]);
    expect(await texts(ann, "первая доставка")).toEqual(["Самая первая доставка"]);
    expect((await listed(ann, "доставка")).map(({ id }) => id)).toEqual(expect.arrayContaining([first, many]));
    // The inflected forms are as common: messages with the typed form come first however old they are.
    await talk(ann, twinId, ["Первой доставке рады"]);
    expect(await texts(ann, "первая доставка")).toEqual(["Самая первая доставка", "Первой доставке рады"]);
    expect((await listed(ann, "первая доставка")).map(({ match }) => match)).toHaveLength(2);
  });

  test("stay within the filters of the list", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await talk(ann, twinId, ["Самовывоз возможен?"]);
    await talk(ann, twinId, ["Самовывоз из чата"], { userId: ann.caller.userId });
    expect(await texts(ann, "самовывоз", "&platform=test")).toEqual(["Самовывоз из чата"]);
    expect(await texts(ann, "самовывоз", "&status=closed")).toEqual([]);
    expect(await texts(ann, "самовывоз", `&twinId=${twinId}`)).toHaveLength(2);
  });
});

describe("members find only what they may read", () => {
  test("the messages of another organisation, whatever arguments the function gets", async () => {
    const [ann, bob] = [await t.signUp(), await t.signUp()];
    const twinId = await buildTwin(ann);
    await talk(ann, twinId, ["Секретная скумбрия"]);
    expect(await texts(bob, "скумбрия")).toEqual([]);
    expect(await asTenant(t.services.db, bob.caller, (tx) => messagesWith(tx, ["скумбрия"]))).toEqual([]);
    const none = await t.services.db.execute(sql`select * from search.messages_with(array['скумбрия'], null, 10)`);
    expect(none.rows).toEqual([]);
  });

  test("a colleague's test chat", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const colleague = "00000000-0000-4000-8000-000000000001";
    await talk(ann, twinId, ["Мой барабан"], { userId: colleague });
    expect(await texts(ann, "барабан")).toEqual([]);
    const own = await searchMessages(t.services.db, { ...ann.caller, userId: colleague }, { q: "барабан" });
    expect(own.messages).toHaveLength(1);
  });
});

test("the index answers, whichever organisation asks, and a page of the list is read without sorting", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const conversationId = await talk(ann, twinId, ["…"]);
  const { db } = t.services;
  const org = ann.caller.organizationId;
  await asTenant(db, ann.caller, async (tx) => {
    await tx.execute(sql`insert into conversation_messages (org_id, conversation_id, role, content)
      select ${org}::uuid, ${conversationId}::uuid, 'user', 'Доставка ' || n from generate_series(1, 20000) n`);
    await tx.execute(sql`insert into conversations (org_id, twin_id, participant_name)
      select ${org}::uuid, ${twinId}::uuid, 'Покупатель ' || n from generate_series(1, 3000) n`);
  });
  await db.execute(sql`analyze conversation_messages, conversations`);
  const plan = (role: string, statement: string) =>
    db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local app.org = '${org}'`));
      await tx.execute(sql.raw(`set local role ${role}`));
      await tx.execute(
        sql.raw("set local enable_seqscan = off; set local enable_indexscan = off; set local random_page_cost = 1.1"),
      );
      if (role === "dt_request") await tx.execute(sql.raw("set local enable_indexscan = on"));
      const { rows } = await tx.execute(sql.raw(`explain ${statement}`));
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  const found = await plan(
    "dt_platform",
    `select id from conversation_messages where org_id = '${org}' and translate(lower(content), 'ё', 'е') like '%небыв%' limit 5001`,
  );
  expect(found).toMatch(/Bitmap Index Scan on conversation_messages_words.*\n.*Index Cond: .*org_id.*~~ '%небыв%'/);
  const page = await plan(
    "dt_request",
    `select * from conversations c left join twins t on t.id = c.twin_id where c.org_id = '${org}' and c.user_id is null
      order by c.updated_at desc, c.id desc limit 50`,
  );
  expect(page).toContain("Index Scan Backward using conversations_org");
  expect(page).not.toContain("Sort");
});

test("a message that is older than the latest thousand is shown with what was said around it", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const id = await talk(
    ann,
    twinId,
    Array.from({ length: 1600 }, (_, at) => `Строка ${at}`),
  );
  const [old] = (await find(ann, "Строка 100")).messages.filter(({ excerpt }) => excerpt === "Строка 100");
  const around = await ann.get(`/api/conversations/${id}/messages?around=${old!.id}`);
  const shown = (around.json() as ChatMessage[]).map(({ content }) => content);
  expect(shown.at(0)).toBe("Строка 0");
  expect(shown.at(-1)).toBe("Строка 599");
  const latest = (await ann.get(`/api/conversations/${id}/messages`)).json() as ChatMessage[];
  expect([latest[0]!.content, latest.at(-1)!.content]).toEqual(["Строка 600", "Строка 1599"]);
  expect((await ann.get(`/api/conversations/${id}/messages?around=x`)).statusCode).toBe(400);
});
