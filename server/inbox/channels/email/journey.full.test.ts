import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import {
  approvals,
  connectTwin,
  drafted,
  eventsOf,
  listedConversations,
  shown,
  untroubled,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { fieldsOf, letter, SLOWLY } from "#server/test/channels/email-journey-bench.ts";
import {
  dovecot,
  mail,
  PASSWORD,
  prepareMail,
  t,
  twinMailboxes,
  unusedMailbox,
} from "#server/test/channels/mail-bench.ts";
import type { Cursor, Inbound, Outgoing } from "../protocol/channel.ts";
import { email } from "./email.ts";
import { ownMessageId, readConversationKey } from "./thread.ts";

describe.skipIf(dovecot === undefined)("a mailbox", () => {
  prepareMail({ ...twinMailboxes(20), "ivan@mail.test": "ivan's" });
  const outOf = (key: number, context: Record<string, unknown> = {}): Outgoing => ({
    key: `00000000-0000-4000-8000-${String(key).padStart(12, "0")}`,
    conversation: "ivan@mail.test/0123456789abcdef",
    context,
    lastInboundAt: null,
    text: "Да",
    delivered: 0,
  });
  const channelOf = (address: string, reading?: { idleMs: number }) =>
    email(
      { platform: "email", address, user: null, password: PASSWORD, imap: null, smtp: null },
      mail,
      null,
      reading && { ...reading, settledMs: 0 },
    );
  /** Receives until it is stopped; returns what was emitted. */
  function receiving(address: string, cursor: Cursor = {}) {
    const controller = new AbortController();
    const got: Inbound[] = [];
    const state = { cursor, rounds: 0 };
    const ended = channelOf(address, { idleMs: 100 }).receive({
      ...untroubled,
      cursor,
      state: { load: async () => new Map(), save: async () => {} },
      signal: controller.signal,
      connected: async () => {
        state.rounds++;
      },
      emit: async (inbound, next) => {
        state.cursor = next;
        if (inbound !== null) got.push(inbound);
      },
    });
    const stop = async () => {
      controller.abort();
      await ended;
      return state.cursor;
    };
    return { got, state, stop };
  }

  test("keeps a thread in one conversation, and falls silent when the owner answers from another program", async () => {
    const [ann, ivan] = [unusedMailbox(), "ivan@mail.test"];
    const bot = await connectTwin(t, fieldsOf(ann));
    await expect.poll(async () => (await rowOf(bot)).cursor, WAIT).toMatchObject({ inbox: {} });
    await mail.deliver(ann, letter(ann, "Сколько стоит доставка?"));
    await drafted(bot.ann);
    const [event] = await eventsOf(t, bot);
    const { thread } = readConversationKey(event!.conversationKey);
    // The answer names only a letter of ours.
    const next = { "In-Reply-To": ownMessageId(randomUUID(), thread, ann) };
    await mail.deliver(ann, letter(ann, "А возврат?", next));
    await drafted(bot.ann, 2);
    expect(await listedConversations(bot.ann)).toMatchObject([{ messageCount: 2 }]);
    await mail.deliver(ann, letter(ivan, "Отвечаю сама", { ...next, From: ann, To: ivan }), ann, "Sent");
    // A letter in the inbox makes the channel read the sent letters at once.
    await mail.deliver(ann, letter(ann, "Новости", { "List-Id": "<news.mail.test>" }));
    await expect.poll(() => approvals(bot.ann), WAIT).toEqual([]);
    await expect
      .poll(() => listedConversations(bot.ann), WAIT)
      .toMatchObject([{ messageCount: 3, lastMessage: "Отвечаю сама" }]);
  });

  test("without its address is stored and says what is missing", async () => {
    const bot = await connectTwin(t, { platform: "email", apiKey: PASSWORD });
    await expect.poll(async () => (await shown(bot)).trouble, WAIT).toMatch(/^Неизвестен адрес ящика/);
  });

  test("is read on after the server has ended its session; after a changed password its owner is asked", async () => {
    const ann = unusedMailbox();
    const bot = await connectTwin(t, fieldsOf(ann));
    await expect.poll(async () => (await rowOf(bot)).cursor, WAIT).toMatchObject({ inbox: {} });
    await mail.kick(ann);
    await mail.deliver(ann, letter(ann, "Вы тут?"));
    await drafted(bot.ann);
    await mail.setPassword(ann, "another password");
    await mail.kick(ann);
    await expect.poll(async () => (await shown(bot)).status, WAIT).toBe("error");
    expect((await shown(bot)).statusReason).toMatch(/не принимает адрес и пароль/);
  });

  test("is read however long it is quiet; repeated and renumbered letters are not taken twice", async () => {
    const ann = unusedMailbox();
    const first = receiving(ann);
    await expect.poll(() => first.state.rounds, WAIT).toBeGreaterThan(3);
    const same = letter(ann, "Раз");
    await mail.deliver(ann, same);
    await expect.poll(() => first.got.length, WAIT).toBe(1);
    const cursor = await first.stop();
    await mail.deliver(ann, same);
    const second = receiving(ann, cursor);
    await expect.poll(() => second.got.length, WAIT).toBe(1);
    expect(second.got[0]!.eventId).toBe(first.got[0]!.eventId);
    const before = await second.stop();
    await mail.renumber(ann);
    const third = receiving(ann, before);
    await expect.poll(() => third.state.rounds, WAIT).toBeGreaterThan(1);
    await mail.deliver(ann, letter(ann, "Два"));
    await expect.poll(() => third.got.map(({ text }) => text), WAIT).toEqual(["Два"]);
    await third.stop();
  });

  test("reports what its owner sends from another program, and not what we have sent", async () => {
    const ann = unusedMailbox();
    const reading = receiving(ann);
    await expect.poll(() => reading.state.rounds, WAIT).toBeGreaterThan(0);
    const sent = await channelOf(ann).send(outOf(1, { messageId: "<q@mail.test>", references: ["<q@mail.test>"] }));
    expect(sent.ok).toBe(true);
    await expect.poll(async () => (await mail.lettersIn(ann, "Sent")).length, SLOWLY).toBe(1);
    const own = { From: ann, To: "ivan@mail.test", "In-Reply-To": sent.externalIds[0]! };
    await mail.deliver(ann, letter("ivan@mail.test", "Отвечаю сама", own), ann, "Sent");
    await expect.poll(() => reading.got, WAIT).toMatchObject([{ fromOwner: true, text: "Отвечаю сама" }]);
    expect(reading.got[0]!.conversation).toBe(outOf(1).conversation);
    await reading.stop();
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
