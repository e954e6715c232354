/** Two processes on one database, as on two machines: a web and a worker. The web's page shows both. */
import { expect, test } from "vitest";
import {
  factOf,
  prepareProcesses,
  rowsOf,
  SOON,
  setFigures,
  setStop,
  worker,
} from "#server/test/health/processes-bench.ts";
import { reportProcess, startReporting } from "./processes.ts";

prepareProcesses();

test("a worker's failed jobs and model failures are on the page that a web shows", async () => {
  setFigures({ failedJobs: 60, modelReplies: 10, modelFailures: 8 });
  setStop(startReporting(worker));
  await expect.poll(() => rowsOf("errors"), SOON).toEqual({ Запросы: "0", Задания: "60" });
  expect(await factOf("errors")).toMatchObject({ state: "failure", summary: "Ошибок: 60" });
  expect(await factOf("model")).toMatchObject({ state: "failure", summary: "Не отвечает" });
});

test("a busy worker is the process whose memory and delay are shown, by its name", async () => {
  setFigures({ delayMs: 1500, memoryBytes: 300 * 1024 ** 2 });
  setStop(startReporting(worker));
  await expect.poll(() => factOf("process"), SOON).toMatchObject({ state: "failure", summary: "Сервер перегружен" });
  expect(await rowsOf("process")).toMatchObject({
    "Самый занятый процесс": `machine-2, задания, ${process.pid}`,
    "Занято памяти": "300\u00a0МБ",
  });
});

test("processes of different versions are to be looked at", async () => {
  await reportProcess(worker.db, { ...worker.self, version: "0.0.1" });
  await expect
    .poll(() => factOf("server"), SOON)
    .toMatchObject({ state: "attention", summary: "Версии процессов разные" });
});
