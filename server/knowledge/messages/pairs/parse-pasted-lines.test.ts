import { describe, expect, test } from "vitest";
import { parseChatHistory, parsePastedLines } from "./parse-pasted-lines.ts";

describe("parsing a pasted conversation", () => {
  test("labels and times are removed, and the pasted line is kept as well", () => {
    const turns = parseChatHistory("[12.03.2024, 14:05] Анна: привет!\n[12.03.2024, 14:06] Вы: привет)))\nкак дела?");
    expect(turns.map(({ role, speech, sentAt }) => [role, speech, sentAt?.toISOString()])).toEqual([
      ["user", "привет!", "2024-03-12T11:05:00.000Z"],
      ["assistant", "привет)))", "2024-03-12T11:06:00.000Z"],
      ["user", "как дела?", "2024-03-12T11:06:00.000Z"],
    ]);
    expect(turns[0]?.content).toBe("[12.03.2024, 14:05] Анна: привет!");
  });

  test("a line without its own time gets the one sent with the conversation", () => {
    const [turn] = parsePastedLines([{ role: "user", content: "Анна: да", timestamp: "2024-05-01T10:00:00Z" }]);
    expect(turn?.sentAt?.toISOString()).toBe("2024-05-01T10:00:00.000Z");
    expect(parsePastedLines([{ role: "user", content: "да" }])[0]?.sentAt).toBeNull();
  });

  test("if the participant's label occurs, other words before a colon are part of the text", () => {
    const speech = (history: string, participants?: string[]) =>
      parseChatHistory(history, participants ? { participants } : {}).map((turn) => turn.speech);
    expect(speech("Анна: сколько?\nВы: Считаю\nИтого: 500", ["Анна Петрова"])).toEqual([
      "сколько?",
      "Считаю",
      "Итого: 500",
    ]);
    expect(speech("Клиент: сколько?\nВы: Считаю", ["Анна Петрова"])).toEqual(["сколько?", "Считаю"]);
  });

  test("what one line of several begins with is speech, where no participant's label occurs", () => {
    const said = [
      "Сейчас проверю.",
      "Заказ ждёт обжарки: жарим завтра.",
      "Есть правило «Не угадали»: вернём половину.",
    ];
    const lines = said.map((content) => ({ role: "assistant" as const, content }));
    const asked = { role: "user" as const, content: "Клиент: где заказ?" };
    const turns = parsePastedLines([asked, ...lines], { participants: ["Ирина"] });
    expect(turns.map(({ speech }) => speech)).toEqual(["где заказ?", ...said]);
    const chat = ["Олег: привет", "Олег: ты где", "как всегда"].map((content) => ({ role: "user" as const, content }));
    expect(parsePastedLines(chat).map(({ speech }) => speech)).toEqual(["привет", "ты где", "как всегда"]);
  });

  test("a line that is only a header adds no message but sets the time", () => {
    const turns = parseChatHistory("Анна, [12.03.2024 14:05]\nпривет\nВы:\n", { timeZone: "UTC" });
    expect(turns).toEqual([
      { role: "user", content: "привет", speech: "привет", sentAt: new Date("2024-03-12T14:05:00Z") },
    ]);
  });
});
