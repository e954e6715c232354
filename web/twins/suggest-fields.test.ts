import { describe, expect, test } from "vitest";
import { TwinInput, TwinPurpose } from "#contract/twins.ts";
import { suggestFields } from "./suggest-fields.ts";

const areaOf = (description: string) => suggestFields(description, "business").knowledgeArea;

describe("the suggestion for a new twin's other fields", () => {
  test.each(TwinPurpose.options)(
    "keeps the form's rules whatever the description is, and is the same each time (%s)",
    (purpose) => {
      const descriptions = [
        "Отвечает клиентам чайной лавки: цены, доставка, советы по выбору",
        "..........",
        ": : : : : :",
        "Двойник о",
        `Продаёт ${"очень ".repeat(600)}много`,
        "1234567890",
        "\n\n\nПомогает с домашним заданием\nи ещё",
      ].map((text) => text.padEnd(10, "!"));
      for (const description of descriptions) {
        const suggestion = suggestFields(description, purpose);
        const checked = TwinInput.safeParse({ name: "Анна", description: description.slice(0, 4000), ...suggestion });
        expect(checked.error?.issues, description).toBeUndefined();
        expect(suggestFields(description, purpose)).toEqual(suggestion);
      }
    },
  );

  test("takes the area of knowledge out of the description, and adds nothing that it does not say", () => {
    expect(areaOf("Отвечает клиентам чайной лавки: цены, доставка, советы по выбору. Работает ночью")).toBe(
      "Цены, доставка, советы по выбору",
    );
    expect(areaOf("Рассказывает покупателям о доставке и возврате")).toBe("Вопросы о доставке и возврате");
    expect(areaOf("Помогает выбрать обувь")).toBe("Темы из описания: Помогает выбрать обувь");
  });

  test("speaks to customers with «вы» and to friends with «ты»", () => {
    const style = (purpose: TwinPurpose) => suggestFields("Отвечает на сообщения", purpose).communicationStyle;
    expect([style("business"), style("friends")]).toEqual([
      expect.stringMatching(/^На «вы»/),
      expect.stringMatching(/^На «ты»/),
    ]);
  });
});
