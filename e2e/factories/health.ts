import type { Health, HealthProcess } from "#contract/health.ts";

export const buildProcess = (changes: Partial<HealthProcess> = {}): HealthProcess => ({
  ...{ id: "p1", role: "web", host: "machine-1", pid: 4101, version: "0.2.0", startedAt: "2026-11-23T09:00:00.000Z" },
  ...{ memoryBytes: 157_286_400, delayMs: 12, state: "ok", silentSeconds: null, answers: true },
  ...changes,
});

/** A server with something in each state; no way of notification is set. */
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
      id: "backup",
      title: "Резервная копия",
      state: "attention",
      isUnconfigured: true,
      summary: "Сами копии не делаются: их включают при установке",
      rows: [],
    },
    {
      id: "channels",
      title: "Каналы",
      state: "attention",
      summary: "С неполадками: 1",
      rows: [{ name: "Telegram", value: "работают: 2, без связи: 1" }],
    },
  ],
  processes: [buildProcess()],
  alertWays: [],
  ...changes,
});
