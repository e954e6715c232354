/** How each fact is judged and worded, from figures alone; where the figures come from is tested with a whole server. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HealthFactId, HealthState } from "#contract/health.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import type { InstallationFacts } from "./facts.ts";
import { type KnownProcess, type ProcessFigures, type ThisProcess, thisProcess } from "./processes.ts";
import { healthReport } from "./report.ts";

/** No backup was made there. */
const config = readConfig({ NODE_ENV: "test", DATA_DIR: join(import.meta.dirname, "no-data") });

const IDLE: ProcessFigures = {
  ...{ failedRequests: 0, failedJobs: 0, modelReplies: 0, modelFailures: 0, delayMs: 0, worstDelayMs: 0 },
  ...{ memoryBytes: 1, heapBytes: 1, heapLimitBytes: 100 },
};
const CALM: InstallationFacts = {
  at: new Date("2026-11-29T12:00:00Z"),
  databaseMs: 5,
  connections: [],
  backfills: [],
  disk: { totalBytes: 1000, freeBytes: 500 },
  files: true,
  unwritable: null,
  letters: null,
  queues: [],
  stuck: [],
  channels: [],
  processes: [],
  backups: null,
};

interface Given {
  facts?: Partial<InstallationFacts>;
  settings?: Partial<Config>;
  self?: Partial<ProcessFigures>;
  role?: "web" | "worker" | "all";
}

async function report({ facts = {}, settings = {}, self: figures = {}, role = "all" }: Given = {}) {
  const given = { ...config, ...settings };
  const self: ThisProcess = {
    ...thisProcess({ ...given, role }),
    host: "one",
    pid: 7,
    figures: () => ({ ...IDLE, ...figures }),
  };
  return healthReport({
    config: given,
    facts: async () => ({ ...CALM, ...facts }),
    database: { kind: "postgres" },
    self,
  });
}

function another(changes: Partial<KnownProcess> = {}): KnownProcess {
  const { figures: _, ...known } = thisProcess({ ...config, role: "worker" });
  return { ...known, ...IDLE, host: "two", pid: 8, silentMs: 0, ...changes };
}

const backlog = (waiting: number, oldestMs: number) => [{ name: "run-import" as const, waiting, running: 1, oldestMs }];

test.each<[HealthFactId, HealthState, string, Given]>([
  ["database", "failure", "Не отвечает", { facts: { databaseMs: null } }],
  ["database", "attention", "Отвечает медленно", { facts: { databaseMs: 1001 } }],
  ["disk", "failure", "Не отвечает", { facts: { disk: null } }],
  [
    "disk",
    "failure",
    "Места почти нет, загрузки не принимаются",
    { facts: { disk: { totalBytes: 1000, freeBytes: 10 } } },
  ],
  ["disk", "attention", "Места мало", { facts: { disk: { totalBytes: 1000, freeBytes: 80 } } }],
  ["disk", "attention", "Места мало", { settings: { diskFloorBytes: 300 } }],
  ["disk", "failure", "Места почти нет, загрузки не принимаются", { settings: { diskFloorBytes: 600 } }],
  ["letters", "ok", "Почтовый сервер указан", { settings: { smtpUrl: "smtp://mail.test" } }],
  [
    "letters",
    "failure",
    "Почтовый сервер не отвечает",
    { facts: { letters: false }, settings: { smtpUrl: "smtp://mail.test" } },
  ],
  ["disk", "failure", "Писать нельзя: места не осталось", { facts: { unwritable: "disk" } }],
  ["database", "failure", "Писать нельзя: на её диске кончилось место", { facts: { unwritable: "database" } }],
  ["queues", "attention", "Неизвестно: база не отвечает", { facts: { queues: null } }],
  ["queues", "ok", "Задания выполняются", { facts: { queues: backlog(2, 10) } }],
  ["queues", "attention", "Задания ждут дольше обычного", { facts: { queues: backlog(1, 10 ** 9) } }],
  ["queues", "failure", "Стоят: импорт выгрузок", { facts: { queues: backlog(1, 10), stuck: ["run-import"] } }],
  ["channels", "attention", "Неизвестно: база не отвечает", { facts: { channels: null } }],
  ["channels", "ok", "Подключены", { facts: { channels: [{ platform: "telegram", state: "active", count: 1 }] } }],
  [
    "channels",
    "attention",
    "С неполадками: 2",
    { facts: { channels: [{ platform: "slack", state: "trouble", count: 2 }] } },
  ],
  ["model", "ok", "Отвечает", { self: { modelReplies: 9 } }],
  ["model", "attention", "Отвечает не всегда", { self: { modelReplies: 9, modelFailures: 1 } }],
  ["model", "attention", "Отвечает не всегда", { self: { modelReplies: 2, modelFailures: 2 } }],
  ["model", "failure", "Не отвечает", { self: { modelReplies: 6, modelFailures: 3 } }],
  ["errors", "ok", "Ошибок: 4", { self: { failedRequests: 4 } }],
  ["errors", "attention", "Ошибок: 5", { self: { failedRequests: 4, failedJobs: 1 } }],
  [
    "errors",
    "failure",
    "Ошибок: 50",
    { self: { failedJobs: 25 }, facts: { processes: [another({ failedRequests: 25 })] } },
  ],
  ["process", "attention", "Сервер перегружен", { self: { delayMs: 251 } }],
  ["process", "failure", "Сервер перегружен", { self: { delayMs: 1001 } }],
  ["process", "attention", "Памяти мало", { self: { heapBytes: 86 } }],
  ["server", "ok", "Все процессы на месте", { role: "web", facts: { processes: [another()] } }],
  ["server", "failure", "Задания некому выполнять: нет процесса с ROLE=worker", { role: "web" }],
  ["server", "failure", "Людям некому отвечать: нет процесса с ROLE=web", { role: "worker" }],
  ["server", "attention", "Известен только этот процесс: база не отвечает", { facts: { processes: null } }],
  ["server", "attention", "Версии процессов разные", { facts: { processes: [another({ version: "0.0.1" })] } }],
  [
    "server",
    "attention",
    "Не сообщает о себе: two, задания, 8",
    { facts: { processes: [another({ silentMs: 70_000 })] } },
  ],
])("%s: %s, «%s»", async (id, state, summary, given) => {
  const { facts } = await report(given);
  expect(facts.find((fact) => fact.id === id)).toMatchObject({ state, summary });
});

test("the gravest fact is the state of the whole, and what is not set up does not count", async () => {
  const set = { facts: { processes: [another({ backupHours: 6 })] } };
  expect((await report(set)).state).toBe("ok");
  expect((await report()).state).toBe("attention");
  expect((await report({ facts: { disk: null } })).state).toBe("failure");
});

test("a process that is silent is listed with the time of its silence, and its figures are not shown as present ones", async () => {
  const silent = another({ silentMs: 70_400, delayMs: 5000, startedAt: new Date(0) });
  const { processes, facts } = await report({
    facts: { processes: [silent, another({ host: "three", delayMs: 300 })] },
  });
  expect(processes.map(({ host, state, silentSeconds, answers }) => [host, state, silentSeconds, answers])).toEqual([
    ["one", "ok", null, true],
    ["three", "attention", null, false],
    ["two", "attention", 70, false],
  ]);
  const rows = new Map(facts.find(({ id }) => id === "process")!.rows.map(({ name, value }) => [name, value]));
  expect(rows.get("Самый занятый процесс")).toBe("three, задания, 8");
  expect(rows.get("Задержка цикла")).toBe("300 мс");
});

test("connections, long changes after an upgrade and the storage of files stand among the figures", async () => {
  const connections = [
    { pool: "requests" as const, max: 10, open: 6, idle: 2, waiting: 1 },
    { pool: "platform" as const, max: 5, open: 1, idle: 1, waiting: 2 },
  ];
  const backfills = [{ name: "names", rows: 12_000 }];
  const storage = { url: "https://s3.test/bucket" } as unknown as Config["storage"];
  const { facts } = await report({ facts: { connections, backfills, files: false }, settings: { storage } });
  const rowsOf = (id: HealthFactId) =>
    facts.find((fact) => fact.id === id)!.rows.map(({ name, value }) => `${name}: ${value}`);
  expect(rowsOf("database")).toEqual([
    "Вид: PostgreSQL",
    "Время ответа: 5 мс",
    "Соединения для запросов: занято 4 из 10",
    "Соединения служебные: занято 0 из 5",
    "Ждут соединения: 3",
    "Изменение данных после обновления (names): идёт, просмотрено строк: 12\u00a0000",
  ]);
  expect(rowsOf("disk")).toContain("Хранилище файлов: не отвечает");
  expect(facts.find(({ id }) => id === "disk")).toMatchObject({ title: "Диск и файлы", state: "failure" });
});
