import type { Health } from "#contract/health.ts";

/** A server with something in each state. */
export const buildHealth = (changes: Partial<Health> = {}): Health => ({
  at: "2026-11-23T10:00:00.000Z",
  state: "failure",
  facts: [
    {
      id: "database",
      title: "База данных",
      state: "ok",
      summary: "Отвечает",
      rows: [
        { name: "Вид", value: "PostgreSQL" },
        { name: "Время ответа", value: "12 мс" },
      ],
    },
    {
      id: "disk",
      title: "Диск",
      state: "failure",
      summary: "Места почти нет, загрузки не принимаются",
      rows: [{ name: "Свободно", value: "1,2 ГБ (3 %)" }],
    },
    {
      id: "channels",
      title: "Каналы",
      state: "attention",
      summary: "С неполадками: 1",
      rows: [{ name: "Telegram", value: "работают 2, без связи 1" }],
    },
  ],
  alertWays: [],
  ...changes,
});
