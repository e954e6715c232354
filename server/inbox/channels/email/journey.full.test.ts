import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Cursor, Inbound } from "#server/inbox/channel-protocol/channel.ts";
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
import { ownMessageId, readConversationKey } from "./thread.ts";

describe.skipIf(dovecot === undefined)("a mailbox", () => {
  prepareMail({ ...twinMailboxes(20), "ivan@mail.test": "ivan's" });
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
        if (inbound !== null) got.push(inbound as Inbound);
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

  async function rowOf({ integration }: { integration: { id: string } }) {
    const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, integration.id));
    return row!;
  }
});
