import { describe, expect, test } from "vitest";
import type { ChatKind, ImportEvent, ImportedMessage } from "#server/imports/formats/message.ts";
import { type ImportPreview, PreviewBuilder } from "./preview.ts";

function preview(events: ImportEvent[]): ImportPreview {
  const builder = new PreviewBuilder();
  for (const event of events) builder.add(event);
  return builder.result();
}

const chat = (id: string, kind: ChatKind = "private", name = id): ImportEvent => ({
  type: "chat",
  chat: { id, name, kind },
});

const message = (chatId: string, authorId: string, more: Partial<ImportedMessage> = {}): ImportEvent => ({
  type: "message",
  message: {
    chatId,
    externalId: null,
    authorId,
    authorName: authorId,
    sentAt: new Date("2024-03-12T11:05:00Z"),
    text: "да",
    replyTo: null,
    kind: "text",
    line: 1,
    ...more,
  },
});

const owner = (events: ImportEvent[]) => preview(events).suggestedOwner;

describe("the suggested owner", () => {
  test("is the person named by the export, if that person has written anything", () => {
    const talk = [chat("анна"), message("анна", "анна"), message("анна", "пётр")];
    expect(owner([{ type: "owner", authorId: "пётр" }, ...talk])).toBe("пётр");
    expect(owner([{ type: "owner", authorId: "олег" }, ...talk])).not.toBe("олег");
  });

  test("is the person who writes in more chats than anyone else", () => {
    const groups = ["дача", "работа"].flatMap((id) => [
      chat(id, "group"),
      message(id, "пётр"),
      message(id, `${id}-друг`),
    ]);
    expect(owner(groups)).toBe("пётр");
    expect(owner([...groups, chat("двор", "group"), message("двор", "дача-друг")])).toBeNull();
  });

  test("is the counterpart of the person that the chat is named after", () => {
    expect(owner([chat("1", "private", "Анна"), message("1", "Анна"), message("1", "Пётр")])).toBe("Пётр");
  });

  test("is undetermined when there is no evidence", () => {
    expect(owner([chat("1", "private", "Анна, Пётр"), message("1", "Анна"), message("1", "Пётр")])).toBeNull();
    expect(owner([chat("1", "private", "Анна"), message("1", "Анна")])).toBeNull();
    expect(owner([])).toBeNull();
  });
});

describe("a preview", () => {
  test("counts people's messages but not service messages, and leaves out empty chats", () => {
    const found = preview([
      chat("анна"),
      message("анна", "", { kind: "service" }),
      message("анна", "анна", { sentAt: new Date("2024-03-13T00:00:00Z"), text: "ы".repeat(200) }),
      message("анна", "пётр", { kind: "media", text: "" }),
      message("анна", "пётр", { sentAt: null, text: " да\nчто  ты" }),
      chat("пусто"),
      chat("новости", "channel"),
      message("новости", "новости"),
      { type: "end", incomplete: true },
    ]);
    expect(found).toMatchObject({ total: 4, incomplete: true, rejectedCount: 0 });
    expect(found.chats).toEqual([
      {
        id: "анна",
        name: "анна",
        kind: "private",
        messages: 3,
        from: "2024-03-12T11:05:00.000Z",
        to: "2024-03-13T00:00:00.000Z",
        firstLines: [
          { author: "анна", text: `${"ы".repeat(100)}…` },
          { author: "пётр", text: "да что ты" },
        ],
      },
      expect.objectContaining({ id: "новости", kind: "channel", messages: 1 }),
    ]);
    expect(found.people).toEqual([
      { id: "пётр", name: "пётр", messages: 2 },
      { id: "анна", name: "анна", messages: 1 },
    ]);
  });

  test("uses the latest name and kind of a chat", () => {
    const found = preview([chat("1", "private", "Чат WhatsApp"), message("1", "а"), chat("1", "group", "Дача")]);
    expect(found.chats).toMatchObject([{ name: "Дача", kind: "group", messages: 1 }]);
  });

  test("stays bounded whatever the file contains", () => {
    const builder = new PreviewBuilder();
    for (let line = 1; line <= 12_000; line++) {
      builder.add(chat(`chat${line}`));
      builder.add(message(`chat${line}`, `person${line}`));
      builder.add(message(`chat${line}`, "я"));
      builder.add({ type: "rejected", line, reason: "Сообщение повреждено и не читается" });
    }
    const found = builder.result();
    expect(found.chats).toHaveLength(10_000);
    expect(found.chats.filter(({ firstLines }) => firstLines !== undefined)).toHaveLength(1000);
    expect(found.total).toBe(20_000);
    expect(found.people).toHaveLength(1000);
    expect(found.people[0]).toEqual({ id: "я", name: "я", messages: 10_000 });
    expect(found.rejected).toHaveLength(100);
    expect(found.rejectedCount).toBe(12_001);
    expect(found.suggestedOwner).toBe("я");
  });
});
