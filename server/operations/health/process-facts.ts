/** Facts about the processes: a line for each, the figures of the busiest, and whether all required ones run. */
import type { HealthFact, HealthProcess, HealthState, ProcessRole } from "#contract/health.ts";
import { writtenSize } from "#contract/written-size.ts";
import { type KnownProcess, SILENT_MS, type ThisProcess } from "./processes.ts";
import { durationOf } from "./written-figures.ts";

const GRAVITY: Record<HealthState, number> = { ok: 0, unset: 0, attention: 1, failure: 2 };
export const isGraver = (one: HealthState, other: HealthState): boolean => GRAVITY[one] > GRAVITY[other];

const isSilent = ({ silentMs }: KnownProcess): boolean => silentMs > SILENT_MS;

/** Returns all known processes by role and machine; this one with its present figures. */
export function mergeThisProcess(known: readonly KnownProcess[] | null, self: ThisProcess): KnownProcess[] {
  const { figures, ...name } = self;
  const others = (known ?? []).filter(({ id }) => id !== self.id);
  const orderOf = ({ role, host, startedAt, id }: KnownProcess) => `${role} ${host} ${startedAt.toISOString()} ${id}`;
  return [...others, { ...name, ...figures(), silentMs: 0 }].sort((one, other) =>
    orderOf(one) < orderOf(other) ? -1 : 1,
  );
}

/** Share of the heap limit above which the process may soon run out of memory. */
const FULL_HEAP = 0.85;
/** Milliseconds of event loop delay that users notice, and that make the server refuse requests. */
const LATE_LOOP = { attention: 250, failure: 1000 };

const isTight = ({ heapBytes, heapLimitBytes }: KnownProcess): boolean => heapBytes > heapLimitBytes * FULL_HEAP;

const stateOf = (process: KnownProcess): HealthState =>
  process.delayMs > LATE_LOOP.failure
    ? "failure"
    : isTight(process) || process.delayMs > LATE_LOOP.attention
      ? "attention"
      : "ok";

export const shownProcess = (process: KnownProcess, self: ThisProcess): HealthProcess => {
  const { id, role, host, pid, version, startedAt, memoryBytes, delayMs, silentMs } = process;
  const silent = isSilent(process);
  return {
    ...{ id, role, host, pid, version, memoryBytes, delayMs },
    startedAt: startedAt.toISOString(),
    state: silent ? "attention" : stateOf(process),
    silentSeconds: silent ? Math.round(silentMs / 1000) : null,
    answers: id === self.id,
  };
};

const ROLE_NAMES: Record<ProcessRole, string> = { all: "веб и задания", web: "веб", worker: "задания" };
const nameOf = ({ host, role, pid }: KnownProcess): string => `${host}, ${ROLE_NAMES[role]}, ${pid}`;

/** Reports memory and delay of the worst process. */
export function processFact(processes: readonly KnownProcess[]): HealthFact {
  const telling = processes.filter((each) => !isSilent(each));
  const worst = telling.reduce((one, other) =>
    isGraver(stateOf(other), stateOf(one)) || (stateOf(other) === stateOf(one) && other.delayMs > one.delayMs)
      ? other
      : one,
  );
  return {
    id: "process",
    title: "Память и задержка",
    state: stateOf(worst),
    summary: worst.delayMs > LATE_LOOP.attention ? "Сервер перегружен" : isTight(worst) ? "Памяти мало" : "В норме",
    rows: [
      ...(telling.length > 1 ? [{ name: "Самый занятый процесс", value: nameOf(worst) }] : []),
      { name: "Занято памяти", value: writtenSize(worst.memoryBytes) },
      { name: "Куча", value: `${writtenSize(worst.heapBytes)} из ${writtenSize(worst.heapLimitBytes)}` },
      { name: "Задержка цикла", value: `${worst.delayMs} мс` },
      { name: "Наибольшая за минуту", value: `${worst.worstDelayMs} мс` },
    ],
  };
}

/** @param known false: the database is unavailable, so the other processes are unknown */
export function serverFact(processes: readonly KnownProcess[], known: boolean): HealthFact {
  const telling = processes.filter((each) => !isSilent(each));
  const silent = processes.filter(isSilent);
  const versions = new Set(telling.map(({ version }) => version));
  const count = (role: ProcessRole) => telling.filter((each) => each.role === role).length;
  const [all, web, worker] = [count("all"), count("web"), count("worker")];
  const problems: [boolean, HealthState, string][] = [
    [!known, "attention", "Известен только этот процесс: база не отвечает"],
    [all + worker === 0, "failure", "Задания некому выполнять: нет процесса с ROLE=worker"],
    [all + web === 0, "failure", "Людям некому отвечать: нет процесса с ROLE=web"],
    [silent.length > 0, "attention", `Не сообщает о себе: ${silent.map(nameOf).join("; ")}`],
    [versions.size > 1, "attention", "Версии процессов разные"],
  ];
  const [, state, summary]: [boolean, HealthState, string] = problems.find(([found]) => found) ?? [
    true,
    "ok",
    "Все процессы на месте",
  ];
  const rows = [
    { name: "Версия", value: [...versions].join(", ") },
    { name: "Веб и задания", value: String(all) },
    { name: "Веб", value: String(web) },
    { name: "Задания", value: String(worker) },
  ];
  return {
    ...{ id: "server", title: "Сервер", state, summary },
    rows: [
      ...rows.filter(({ value }) => value !== "0"),
      { name: "Дольше всех работает", value: durationOf(Date.now() - Math.min(...telling.map(startOf))) },
      { name: "Node.js", value: process.versions.node },
    ],
  };
}

const startOf = ({ startedAt }: KnownProcess): number => startedAt.getTime();
