import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ConversationForm, ConversationUpload, DocumentInput } from "./knowledge.ts";

const twin = "8b0e2f1c-0000-4000-8000-000000000001";
const document = (content: string) => ({ digitalTwinId: twin, name: "Доставка", type: "faq", content });
const conversation = (chatHistory: string) => ({
  digitalTwinId: twin,
  platform: "chat",
  participantName: "Анна",
  chatHistory,
});

test("white space at the ends of a text is none of the characters that it must have", () => {
  for (const blank of [" ", "\n", "\u00a0"]) {
    expect(z.safeParse(DocumentInput, document(blank.repeat(60))).error?.issues[0]?.message).toBe(
      "Содержимое должно быть минимум 50 символов",
    );
    expect(z.safeParse(DocumentInput, document(blank.repeat(30) + "я".repeat(49))).success).toBe(false);
    expect(
      z.safeParse(ConversationForm, conversation(blank.repeat(100) + "я".repeat(99))).error?.issues[0]?.message,
    ).toBe("История переписки должна содержать минимум 100 символов");
  }
  const blankLine = { ...conversation(""), messages: [{ content: "  ", role: "user" }], participants: ["Анна"] };
  expect(z.safeParse(ConversationUpload, blankLine).error?.issues[0]?.message).toBe("Пустая реплика");
});

test("a text that is long enough is kept as it was written", () => {
  const content = `  ${"я".repeat(50)}\n`;
  expect(z.parse(DocumentInput, document(content)).content).toBe(content);
  expect(z.safeParse(ConversationForm, conversation("я".repeat(100))).success).toBe(true);
});
