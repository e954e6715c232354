import { expect, test } from "vitest";
import { recogniseSource, sourceOf } from "./recognise-source.ts";
import type { Source } from "./use-onboarding-address.ts";

test("a file is recognised by its beginning alone, however long it is", async () => {
  const line = "12.03.25, 10:15 - Мария: Привет!\n";
  expect(await recogniseSource(new File([line, "х".repeat(200_000)], "chat.txt"))).toBe("whatsapp");
});

const cases: [string, string, Source | null][] = [
  ["WhatsApp Chat with Мария.txt", "12.03.25, 10:15 - Мария: Привет!\n12.03.25, 10:16 - Лёша: привет)", "whatsapp"],
  ["_chat.txt", "\u200e[12.03.2025, 10:15:01] Мария: Привет!", "whatsapp"],
  ["archive.zip", "PK\u0003\u0004WhatsApp Chat - Мария/_chat.txt", "whatsapp"],
  ["result.json", '{"name":"Мария","type":"personal_chat","messages":[]}', "telegram"],
  ["inbox.mbox", "From a@b.example\nSubject: Привет\nDate: Mon, 3 Mar 2025 10:00:00 +0300", "email"],
  ["messages.html", '<div class="page_wrap">', "telegram"],
  ["letter.eml", "Return-Path: <a@b.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0300\nSubject: Привет", "email"],
  ["messages.zip", "PK\u0003\u0004general/2024-03-12.json", null],
  ["message_1.json", '{"participants":[{"name":"Анна"}],"messages":[]}', null],
  ["notes.txt", "Мария: привет\nЛёша: привет", null],
  ["empty.txt", "", null],
];
test.each(cases)("%s", (name, head, source) => {
  expect(sourceOf(head, name)).toBe(source);
});
