import { expect, test } from "vitest";
import { auditCsv } from "./audit-csv.ts";

test("an entry becomes a table row in which no name can act as a formula", () => {
  const csv = auditCsv([
    {
      id: "1",
      at: "2026-11-22T12:00:00.000Z",
      action: "api-key-created",
      sentence: "Создан ключ для программ",
      actor: { id: "u", name: '=HYPERLINK("https://evil.example")' },
      subject: "+7@evil",
      details: [{ label: "права", value: "ask" }],
      organization: null,
    },
    {
      id: "2",
      at: "2026-11-22T12:00:00.000Z",
      action: "sign-in",
      sentence: "Вход в аккаунт",
      actor: { id: "u", name: null },
      subject: null,
      details: [],
      organization: "Ромашка",
    },
  ]);
  const [, first, second] = csv.split("\r\n");
  expect(first).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect(first).toContain(`"'+7@evil","права: ask",`);
  expect(second).toContain('"Удалённый участник","Вход в аккаунт","","","Ромашка"');
});
