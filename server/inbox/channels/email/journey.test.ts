/** End-to-end tests of a mailbox on real mail servers: its own dovecot, and SMTP that delivers into it. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { LOOP_REPLIES } from "#server/inbox/conversation-control/answer-policy.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import {
  connectTwin,
  drafted,
  eventsOf,
  listedConversations,
  refusedConnection,
  rowsOf,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { channelOf, fieldsOf, letter, outOf, SLOWLY } from "#server/test/channels/email-journey-bench.ts";
import {
  dovecot,
  mail,
  PASSWORD,
  prepareMail,
  t,
  twinMailboxes,
  unusedMailbox,
} from "#server/test/channels/mail-bench.ts";
import { email } from "./email.ts";

describe.skipIf(dovecot === undefined)("a mailbox", () => {
  prepareMail({ ...twinMailboxes(20), "ivan@mail.test": "ivan's" });

  test("drafts an answer to a letter, and the approved answer arrives as the next letter of the thread", async () => {
    const [ann, ivan] = [unusedMailbox(), "ivan@mail.test"];
    await mail.deliver(ann, letter(ann, "Это было до подключения."));
    const bot = await connectTwin(t, fieldsOf(ann.toUpperCase()));
    expect(bot.integration).toMatchObject({
      account: ann,
      autonomy: "draft",
      settings: { address: ann.toUpperCase() },
    });
    await expect.poll(async () => (await rowOf(bot)).cursor, WAIT).toMatchObject({ inbox: {}, sent: {} });
    const signature = "\r\n-- \r\nИван";
    const asked = { Subject: "Dostavka", "Message-ID": "<question@mail.test>" };
    await mail.deliver(ann, letter(ann, `Сколько стоит доставка?\r\n${signature}`, asked));
    const [draft] = await drafted(bot.ann);
    expect(draft).toMatchObject({
      platform: "email",
      contactName: "Ivan",
      question: "Dostavka\n\nСколько стоит доставка?",
    });
    const [talk] = await listedConversations(bot.ann);
    const [message] = (await bot.ann.get(`/api/conversations/${talk!.id}/messages`)).json();
    expect(message).toMatchObject({ content: "Dostavka\n\nСколько стоит доставка?", quoted: "-- \nИван" });
    await bot.ann.put(`/api/approvals/${draft!.id}`, { text: "**300** рублей" });
    await bot.ann.post(`/api/approvals/${draft!.id}/approve`);
    await expect.poll(async () => (await rowsOf(t, bot))[0]!.state, WAIT).toBe("sent");
    const [received] = await mail.lettersIn(ivan, "INBOX");
    expect(received).toMatchObject({
      subject: "Re: Dostavka",
      from: { text: ann },
      to: { text: ivan },
      inReplyTo: "<question@mail.test>",
      references: "<question@mail.test>",
      text: expect.stringMatching(/^Отвечает ИИ-помощник[\s\S]*\n\n300 рублей\n?$/),
      html: expect.stringContaining("<p><b>300</b> рублей</p>"),
    });
    expect(received!.headers.get("auto-submitted")).toBe("auto-replied");
    await expect
      .poll(async () => (await mail.lettersIn(ann, "Sent")).map(({ messageId }) => messageId), SLOWLY)
      .toEqual([received!.messageId]);
  });

  test("answers people automatically, but not lists, bounces or programs, and never endlessly", async () => {
    const ann = unusedMailbox();
    const bot = await connectTwin(t, fieldsOf(ann), "auto");
    await expect.poll(async () => (await rowOf(bot)).cursor, WAIT).toMatchObject({ inbox: {} });
    await mail.deliver(ann, letter(ann, "Я в отпуске", { "Auto-Submitted": "auto-replied" }));
    await mail.deliver(ann, letter(ann, "Новости", { "List-Id": "<news.mail.test>" }));
    await mail.deliver(ann, letter(ann, "Не доставлено"), "");
    await mail.deliver(ann, letter(ann, "Привет!"));
    const sent = () => mail.sent.filter(({ from }) => from === ann);
    await expect.poll(() => sent().length, WAIT).toBe(1);
    await t.jobsIdle();
    expect((await eventsOf(t, bot)).map(({ status }) => status)).toEqual(["done"]);
    expect(await listedConversations(bot.ann)).toMatchObject([{ messageCount: 2 }]);

    // A program that starts a thread for each letter is stopped like one that stays in one thread.
    const [answer] = await rowsOf(t, bot);
    const copies = Array.from({ length: LOOP_REPLIES }, () => ({ ...answer!, id: randomUUID() }));
    await t.services.db.insert(outbox).values(copies);
    await mail.deliver(ann, letter(ann, "Привет!"));
    expect(await drafted(bot.ann)).toMatchObject([{ reason: expect.stringMatching(/^Слишком много ответов подряд/) }]);
    expect(sent()).toHaveLength(1);
  });

  test("with a wrong password or on a forbidden server is refused, and nothing is stored", async () => {
    const ann = unusedMailbox();
    const refused = (fields: object) => refusedConnection(t, { ...fieldsOf(ann), ...fields });
    const [status, message] = await refused({ apiKey: "wrong" });
    expect([status, message]).toEqual([422, expect.stringContaining("не принимает адрес и пароль")]);
    const inside = `imaps://${encodeURIComponent(ann)}:${PASSWORD}@127.0.0.1:${mail.imapPort}`;
    expect(await refused({ apiKey: inside })).toEqual([422, expect.stringContaining("этот адрес внутренний")]);
    expect(await refused({ apiKey: "imaps://127.0.0.1" })).toEqual([
      400,
      "Введите адрес вида imaps://имя:пароль@сервер",
    ]);
    expect(await refused({ settings: { address: "не адрес" } })).toEqual([
      400,
      "Введите адрес ящика: name@example.com",
    ]);
  });

  test.each([
    ["is put off by greylisting", { kind: "refuse-recipient", code: 451, text: "4.7.1 Greylisted" }, "retry", 0],
    ["meets a server that leaves before it is asked for the letter", { kind: "reset-before-data" }, "retry", 0],
    ["meets one that leaves without a word when it has the letter", { kind: "reset-after-data" }, "unknown", 1],
    ["goes to nobody", { kind: "refuse-recipient", code: 550, text: "5.1.1 User unknown" }, "invalid", 0],
    ["is not wanted", { kind: "refuse-recipient", code: 550, text: "5.7.1 Relaying denied" }, "blocked", 0],
    ["meets a server that shuts down", { kind: "refuse-letter", code: 421, text: "4.3.2 Shutting down" }, "retry", 0],
    ["is taken for spam", { kind: "refuse-letter", code: 554, text: "5.7.1 Spam" }, "blocked", 0],
  ] as const)("an answer that %s goes as the same letter when it goes again", async (_name, fate, kind, arrived) => {
    const ann = unusedMailbox();
    const channel = channelOf(ann);
    const sent = () => mail.sent.filter(({ from }) => from === ann);
    mail.script(fate);
    expect(await channel.send(outOf(2))).toMatchObject({ ok: false, kind, externalIds: [] });
    expect(sent()).toHaveLength(arrived);
    const again = await channel.send(outOf(2));
    expect(again).toMatchObject({ ok: true });
    for (const { source } of sent()) expect(source.toString()).toContain(again.externalIds[0]!);
  });

  test("with a password that is no longer valid sends nothing and asks its owner; an unreachable server is tried again", async () => {
    const ann = unusedMailbox();
    await mail.setPassword(ann, "another password");
    expect(await channelOf(ann).send(outOf(3))).toMatchObject({ ok: false, kind: "auth" });
    const away = { imap: mail.imap, smtp: "smtps://127.0.0.1:9" };
    const credentials = {
      platform: "email",
      address: ann,
      user: null,
      password: PASSWORD,
      imap: null,
      smtp: null,
    } as const;
    expect(await email(credentials, away).send(outOf(4))).toMatchObject({ ok: false, kind: "retry" });
    // The server sends no greeting. A cancelled send ends at once, and the letter is not sent later.
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const mute = { ...away, smtp: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` };
    const began = Date.now();
    const ended = await email(credentials, mute).send(outOf(5), AbortSignal.timeout(50));
    expect(ended).toMatchObject({ ok: false, kind: "retry" });
    expect(Date.now() - began).toBeLessThan(4000);
    silent.close();
  });

  async function rowOf({ integration }: { integration: { id: string } }) {
    const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, integration.id));
    return row!;
  }
});
