import { expect, test } from "vitest";
import type { ImportEvent } from "../message.ts";
import { readLetter } from "./email-message.ts";

type Of<T extends ImportEvent["type"]> = Extract<ImportEvent, { type: T }>;

async function read(headers: Record<string, string>, body = "Привет") {
  const lines = Object.entries({
    ...{ From: "Anna <anna@a.test>", To: "Petr <petr@a.test>", "Content-Type": "text/plain; charset=utf-8" },
    ...headers,
  }).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  const events = await readLetter(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`), 1);
  const of = <T extends ImportEvent["type"]>(type: T) => events.find((event): event is Of<T> => event.type === type);
  return {
    chat: of("chat")?.chat,
    message: of("message")?.message,
    owner: of("owner")?.authorId,
    rejected: of("rejected")?.reason,
  };
}

test.each<[string, Record<string, string>]>([
  ["a mailing list", { "List-Id": "<news.a.test>" }],
  ["an automatic answer", { "Auto-Submitted": "auto-replied" }],
  ["a bulk letter", { Precedence: "Bulk" }],
  ["a notice that nobody reads the answers to", { From: "Bank <no-reply@a.test>" }],
])("%s is a channel, which no pair is made of", async (_, headers) => {
  expect((await read(headers)).chat).toMatchObject({ kind: "channel", id: expect.stringMatching(/^list:/) });
});

test("a letter that says it is not automatic stays a letter between people", async () => {
  expect((await read({ "Auto-Submitted": "no" })).chat).toMatchObject({ kind: "private", name: "Anna, Petr" });
});

test("the chat is made of all its people: those of groups too, each once, and a letter to oneself is a note", async () => {
  const { chat } = await read({ To: "Sales: boris@a.test, Anna <ANNA@a.test>;", Cc: "petr@a.test" });
  expect(chat).toMatchObject({ kind: "group", id: "anna@a.test boris@a.test petr@a.test" });
  expect(chat!.members!.map(({ name }) => name)).toEqual(["Anna", "boris@a.test", "petr@a.test"]);
  expect((await read({ To: "anna@a.test" })).chat).toMatchObject({ kind: "saved", id: "anna@a.test" });
});

test("a chat of very many people has a short id, the same for each order of them", async () => {
  const people = Array.from({ length: 30 }, (_, at) => `person-${at}@a.test`);
  const [one, other] = [await read({ To: people.join(", ") }), await read({ To: people.toReversed().join(", ") })];
  expect(one.chat!.id).toMatch(/^[0-9a-f]{64}$/);
  expect(other.chat!.id).toBe(one.chat!.id);
  expect(one.chat!.members).toHaveLength(20);
});

test("the mailbox's owner is known by Google's label of sent letters, or by the address of delivery", async () => {
  expect((await read({ "X-Gmail-Labels": "Opened,Sent" })).owner).toBe("anna@a.test");
  expect((await read({ "Delivered-To": "Petr@A.test" })).owner).toBe("petr@a.test");
  const forwarded = "petr@a.test\r\nDelivered-To: sales@a.test";
  expect((await read({ "Delivered-To": forwarded })).owner).toBe("petr@a.test");
  expect((await read({ "Delivered-To": "somebody" })).owner).toBeUndefined();
});

test("a letter without text says its subject, unless that is the subject of the letter it answers or passes on", async () => {
  expect((await read({ Subject: "Call me" }, "")).message).toMatchObject({ text: "Call me", kind: "text" });
  expect((await read({ Subject: "Re: Call me" }, "")).message).toMatchObject({ text: "", kind: "media" });
  expect((await read({}, "")).message).toMatchObject({ text: "", kind: "media" });
});

test("a date of the future or none at all is unknown, and an id that is too long is none", async () => {
  const headers = { Date: "Tue, 12 Mar 2024 11:05:00 +0000", "Message-ID": "<1@a.test>", "In-Reply-To": "<0@a.test>" };
  expect((await read(headers)).message).toMatchObject({
    ...{ sentAt: new Date("2024-03-12T11:05:00Z"), externalId: "<1@a.test>", replyTo: "<0@a.test>" },
  });
  const none = { sentAt: null, replyTo: null };
  expect((await read({ Date: "Tue, 12 Mar 2999 11:05:00 +0000" })).message).toMatchObject(none);
  expect((await read({})).message).toMatchObject({ ...none, externalId: null });
  expect((await read({ "Message-ID": `<${"1".repeat(400)}@a.test>` })).message!.externalId).toBeNull();
});

test("a letter without a sender, too long or with a NUL is rejected with its reason", async () => {
  expect((await read({ From: "" })).rejected).toBe("Письмо не читается");
  expect((await read({}, "a".repeat(2_200_000))).rejected).toBe("Сообщение больше 4 МБ");
  expect((await read({}, "а\0б")).rejected).toContain("NUL");
});

test("an order in a first letter stays whole, and labels of sent letters are read in any coding", async () => {
  const order = "От кого: Борис\nКому: Анна Петрова\nДата: 8 марта, к 10:00\nБукет: 25 роз";
  expect((await read({}, order)).message!.text).toBe(order);
  const labels = "=?UTF-8?Q?=D0=9E=D1=82=D0=BF=D1=80=D0=B0=D0=B2=D0=BB=D0=B5=D0=BD=D0=BD=D1=8B=D0=B5,Opened?=";
  expect((await read({ "X-Gmail-Labels": labels })).owner).toBe("anna@a.test");
});
