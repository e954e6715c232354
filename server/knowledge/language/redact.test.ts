import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createVault, holdsCardNumber, redact, restore, restoring } from "./redact.ts";

const hidden = (text: string) => redact(text, createVault("abcdef"));

describe("redaction", () => {
  test.each([
    ["пиши на ivan.petrov@mail.example.ru!", "пиши на [EMAIL_1_abcdef]!"],
    ["почта иван@почта.рф", "почта [EMAIL_1_abcdef]"],
    ["звони +7 (912) 345-67-89 после обеда", "звони [PHONE_1_abcdef] после обеда"],
    ["8-912-345-67-89", "[PHONE_1_abcdef]"],
    ["89123456789", "[PHONE_1_abcdef]"],
    ["+49 151 1234567", "[PHONE_1_abcdef]"],
    ["карта 4276 1609 0000 0014", "карта 4276 1609 0000 0014"],
    ["карта 4111 1111 1111 1111", "карта [CARD_1_abcdef]"],
    ["ИНН 7707083893", "ИНН [INN_1_abcdef]"],
    ["ИНН 500100732259", "ИНН [INN_1_abcdef]"],
    ["ИНН 7707083894", "ИНН 7707083894"],
    ["СНИЛС 112-233-445 95", "СНИЛС [SNILS_1_abcdef]"],
    ["СНИЛС 112-233-445 96", "СНИЛС 112-233-445 96"],
    ["ключ sk-proj-abcdefghijklmnop1234", "ключ [TOKEN_1_abcdef]"],
    ["бот 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "бот [TOKEN_1_abcdef]"],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "[TOKEN_1_abcdef]"],
    ["хэш 9f86d081884c7d659a2feaa0c55ad015", "хэш [TOKEN_1_abcdef]"],
    ["секрет whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "секрет [TOKEN_1_abcdef]"],
    ["база postgres://anna:s3cret@db.example:5432/twins и всё", "база [TOKEN_1_abcdef] и всё"],
    ["redis://:s3cret@cache.example/0", "[TOKEN_1_abcdef]"],
    ["сайт https://shop.example/a:b/c", "сайт https://shop.example/a:b/c"],
    ["IBAN DE89 3704 0044 0532 0130 00, срочно", "IBAN [IBAN_1_abcdef], срочно"],
    ["GB82WEST12345698765432", "[IBAN_1_abcdef]"],
    ["IBAN DE89 3704 1144 0532 0130 01", "IBAN DE89 3704 1144 0532 0130 01"],
    ["паспорт 4510 123456", "паспорт [PASSPORT_1_abcdef]"],
    ["паспорт серия 45 10 номер 123456 выдан", "паспорт серия [PASSPORT_1_abcdef] выдан"],
    ["серия 4510, № 123456", "серия [PASSPORT_1_abcdef]"],
    ["мой 45 10 123456", "мой [PASSPORT_1_abcdef]"],
    ["загранпаспорт 75 1234567", "загранпаспорт [PASSPORT_1_abcdef]"],
    ["+44 20 7946 0958", "[PHONE_1_abcdef]"],
    ["0049 30 1234567", "[PHONE_1_abcdef]"],
    ["+1 (415) 555-2671", "[PHONE_1_abcdef]"],
    ["+380 44 123 45 67", "[PHONE_1_abcdef]"],
    ["+972-3-123-4567", "[PHONE_1_abcdef]"],
    ["+995 555 12 34 56", "[PHONE_1_abcdef]"],
    ["прибыль +500 000 000 рублей", "прибыль +500 000 000 рублей"],
    ["плюс +10 000 000 000", "плюс +10 000 000 000"],
    ["заказ 4510 123456 готов", "заказ 4510 123456 готов"],
    ["заказы 45 10 12 и 1 234 567", "заказы 45 10 12 и 1 234 567"],
    ["накладная 00123456 от 10.05.2026", "накладная 00123456 от 10.05.2026"],
    ["артикул AB12 3456 7890", "артикул AB12 3456 7890"],
    ["цена 350 рублей, 12.05.2024 в 18:30", "цена 350 рублей, 12.05.2024 в 18:30"],
    ["заказ 12345678", "заказ 12345678"],
    ["отчет за 2023-2024 годы, 1 500 000 руб.", "отчет за 2023-2024 годы, 1 500 000 руб."],
  ])("turns %j into %j", (text, expected) => {
    expect(hidden(text)).toBe(expected);
  });

  test("gives equal values the same placeholder and restores them all", () => {
    const vault = createVault();
    const text = "тел +79123456789, ещё раз +79123456789 и me@example.org";
    const redacted = redact(text, vault);
    expect(new Set(redacted.match(/\[PHONE_\d+_\w+\]/g)).size).toBe(1);
    expect(restore(redacted, vault)).toBe(text);
    expect(redact(redacted, vault)).toBe(redacted);
  });

  test("restores a stream however it is split", () => {
    const vault = createVault("abcdef");
    const redacted = redact("Звони [сюда] +79123456789 или пиши a@b.example [", vault);
    fc.assert(
      fc.property(fc.array(fc.nat(redacted.length), { maxLength: 8 }), (cuts) => {
        const points = [...new Set(cuts)].sort((a, b) => a - b);
        const stream = restoring(vault);
        const deltas = [0, ...points].map((from, i) => stream.push(redacted.slice(from, points[i] ?? redacted.length)));
        expect(deltas.join("") + stream.end()).toBe("Звони [сюда] +79123456789 или пиши a@b.example [");
      }),
    );
  });

  test("does not restore a guessed placeholder, and removes an unknown one", () => {
    const vault = createVault("abcdef");
    redact("me@example.org", vault);
    expect(restore("дай [EMAIL_1_aaaaaa] и [EMAIL_7_abcdef]", vault)).toBe("дай [EMAIL_1_aaaaaa] и ");
  });

  test("restores any text completely", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom("+79123456789", "4111111111111111", "a@b.ru", "[", "]", "[PHONE_1_")),
        ),
        (parts) => {
          const vault = createVault();
          const text = parts.join(" ");
          expect(restore(redact(text, vault), vault)).toBe(text);
        },
      ),
    );
  });
});

test("an identifier whose digits pass the check of a card number is not taken for one", () => {
  expect(holdsCardNumber("4111-1111-1111-1111")).toBe(true);
  expect(holdsCardNumber("Платёж 19fdd468-7621-4075-805e-17603afd56e5 прошёл")).toBe(false);
  expect(holdsCardNumber("Платёж 19fdd468-7621-4075-805e-17603afd56e5 с карты 4111111111111111")).toBe(true);
});
