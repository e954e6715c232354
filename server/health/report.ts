/** The facts in Russian with their states: for the page «Состояние» and for letters to the administrator. */
import { getHeapStatistics } from "node:v8";
import type { Health, HealthFact, HealthState } from "#contract/health.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { type BackupState, readBackupState } from "#server/backup/last-backup.ts";
import type { Config } from "#server/config.ts";
import type { OpenDatabase } from "#server/db/database.ts";
import { PRODUCT_VERSION } from "#server/http/product-version.ts";
import type { JobName } from "#server/jobs/catalogue.ts";
import { loopDelay } from "#server/process/loop-delay.ts";
import { lastHour } from "#server/process/metrics.ts";
import { waysOf } from "./alerts/send-alert.ts";
import { isFull } from "./disk-room.ts";
import type { ChannelState, Facts } from "./facts.ts";

export interface ReportDeps {
  config: Pick<
    Config,
    "alerts" | "backup" | "dataDir" | "diskFloorBytes" | "jobsStuckMs" | "llm" | "modelFiles" | "production" | "storage"
  >;
  facts: () => Promise<Facts>;
  database: Pick<OpenDatabase, "kind">;
}

const GRAVITY: Record<HealthState, number> = { ok: 0, attention: 1, failure: 2 };
export const isGraver = (one: HealthState, other: HealthState): boolean => GRAVITY[one] > GRAVITY[other];

export async function healthReport(deps: ReportDeps): Promise<Health> {
  const facts = await deps.facts();
  const backups = await readBackupState(deps.config.dataDir);
  const found = [
    databaseFact(facts, deps.database.kind),
    diskFact(facts, deps.config),
    backupFact(backups, deps.config, facts.at),
    queuesFact(facts, deps.config),
    channelsFact(facts),
    modelFact(deps.config),
    processFact(),
    errorsFact(),
    serverFact(),
  ];
  const gravest = found.reduce<HealthState>((worst, { state }) => (isGraver(state, worst) ? state : worst), "ok");
  return { at: facts.at.toISOString(), state: gravest, facts: found, alertWays: waysOf(deps.config.alerts) };
}

const UNKNOWN = "Неизвестно: база не отвечает";
/** From here on whoever waits for an answer notices it, ms. */
const SLOW_DATABASE_MS = 1000;

export function databaseFact({ databaseMs, connections, backfills }: Facts, kind: OpenDatabase["kind"]): HealthFact {
  const waiting = connections.reduce((sum, pool) => sum + pool.waiting, 0);
  const slow = databaseMs !== null && databaseMs > SLOW_DATABASE_MS;
  return {
    id: "database",
    title: "База данных",
    state: databaseMs === null ? "failure" : slow ? "attention" : "ok",
    summary: databaseMs === null ? "Не отвечает" : slow ? "Отвечает медленно" : "Отвечает",
    rows: [
      { name: "Вид", value: kind === "postgres" ? "PostgreSQL" : "Встроенная" },
      ...(databaseMs === null ? [] : [{ name: "Время ответа", value: `${Math.round(databaseMs)} мс` }]),
      ...connections.map(({ pool, max, open, idle }) => ({
        name: pool === "requests" ? "Соединения для запросов" : "Соединения служебные",
        value: `занято ${open - idle} из ${max}`,
      })),
      { name: "Ждут соединения", value: String(waiting) },
      ...backfills.map(({ name, rows }) => ({
        name: `Изменение данных после обновления (${name})`,
        value: `идёт, просмотрено строк: ${rows.toLocaleString("ru-RU")}`,
      })),
    ],
  };
}

/** Twice as much as makes the disk full. */
const SHORT_SHARE = 0.1;

function diskFact(
  { disk, files }: Facts,
  { diskFloorBytes, storage }: Pick<Config, "diskFloorBytes" | "storage">,
): HealthFact {
  const title = storage === null ? "Диск" : "Диск и файлы";
  if (disk === null) return { id: "disk", title, state: "failure", summary: "Не отвечает", rows: [] };
  const full = isFull(disk, diskFloorBytes);
  const short = disk.freeBytes < (diskFloorBytes === null ? disk.totalBytes * SHORT_SHARE : diskFloorBytes * 2);
  return {
    id: "disk",
    title,
    state: full || !files ? "failure" : short ? "attention" : "ok",
    summary: full
      ? "Места почти нет, загрузки не принимаются"
      : !files
        ? "Хранилище файлов не отвечает"
        : short
          ? "Места мало"
          : "Места достаточно",
    rows: [
      { name: "Свободно", value: `${sizeOf(disk.freeBytes)} (${shareOf(disk.freeBytes, disk.totalBytes)})` },
      { name: "Всего", value: sizeOf(disk.totalBytes) },
      ...(storage === null ? [] : [{ name: "Хранилище файлов", value: files ? "отвечает" : "не отвечает" }]),
    ],
  };
}

/**
 * Tells how old this machine's last backup is; another server with the same database may have made later ones. Whoever only tries the product
 * out needs none.
 */
export function backupFact(
  { last, failure }: BackupState,
  { backup, production }: Pick<Config, "backup" | "production">,
  now: Date,
): HealthFact {
  const scheduled = backup.folder !== null;
  const age = last === null ? null : Math.max(0, now.getTime() - last.at.getTime());
  // One that is due may take a while, and one that fails is tried again.
  const late = scheduled && age !== null && age > 2 * backup.hours * HOUR;
  const unverified = last !== null && !last.verified;
  const state: HealthState =
    failure !== null ? "failure" : late || unverified || (production && !scheduled) ? "attention" : "ok";
  const summaries = [
    failure !== null && "Последняя попытка не удалась",
    late && "Копии давно не было",
    unverified && "Последняя копия не проверена",
    !scheduled && "Сами копии не делаются: их включают при установке",
    last === null ? "Первой копии ещё не было" : "Копии делаются",
  ];
  return {
    id: "backup",
    title: "Резервная копия",
    state,
    summary: summaries.find((one) => one !== false)!,
    rows: [
      ...(failure === null ? [] : [{ name: "Причина", value: failure.reason }]),
      ...(last === null
        ? []
        : [
            { name: "Последняя", value: `${durationOf(age!)} назад` },
            { name: "Размер", value: sizeOf(last.bytes) },
            { name: "Прочитана и проверена", value: last.verified ? "да" : "нет" },
          ]),
      ...(scheduled ? [{ name: "Раз в", value: `${backup.hours} ч` }] : []),
    ],
  };
}

const JOB_NAMES: Record<JobName, string> = {
  "train-twin": "Обучение двойников",
  "learn-embeddings": "Поиск по смыслу",
  "measure-fidelity": "Измерение сходства",
  "replay-corrections": "Проверка исправлений",
  "find-facts": "Поиск фактов",
  "preview-import": "Чтение выгрузок",
  "run-import": "Импорт выгрузок",
  "import-account": "Импорт аккаунтов",
  "list-dialogs": "Списки диалогов",
  "process-inbox": "Ответы собеседникам",
  "send-outbox": "Отправка сообщений",
  "notify-owner": "Уведомления владельцам",
  "deliver-webhook": "Вебхуки",
  "make-export": "Выгрузки данных",
};

function queuesFact({ queues, stuck }: Facts, { jobsStuckMs }: Pick<Config, "jobsStuckMs">): HealthFact {
  const title = "Очереди заданий";
  if (queues === null) return { id: "queues", title, state: "attention", summary: UNKNOWN, rows: [] };
  const oldest = Math.max(0, ...queues.map(({ oldestMs }) => oldestMs));
  const late = oldest > jobsStuckMs;
  const summaries: Record<HealthState, string> = {
    failure: `Стоят: ${stuck.map((name) => JOB_NAMES[name].toLowerCase()).join(", ")}`,
    attention: "Задания ждут дольше обычного",
    ok: queues.some(({ waiting }) => waiting > 0) ? "Задания выполняются" : "Ничего не ждёт",
  };
  const state = stuck.length > 0 ? "failure" : late ? "attention" : "ok";
  return {
    id: "queues",
    title,
    state,
    summary: summaries[state],
    rows: queues.map(({ name, waiting, running, oldestMs }) => ({
      name: JOB_NAMES[name],
      value: `ждут ${waiting}, выполняются ${running}${waiting > 0 ? `, старшее ждёт ${durationOf(oldestMs)}` : ""}`,
    })),
  };
}

const CHANNEL_STATES: Record<ChannelState, string> = {
  active: "работают",
  inactive: "выключены",
  error: "с ошибкой",
  trouble: "без связи",
};

function channelsFact({ channels }: Facts): HealthFact {
  const title = "Каналы";
  if (channels === null) return { id: "channels", title, state: "attention", summary: UNKNOWN, rows: [] };
  const troubled = channels
    .filter(({ state }) => state === "error" || state === "trouble")
    .reduce((sum, { count }) => sum + count, 0);
  const byPlatform = Map.groupBy(channels, ({ platform }) => platform as keyof typeof PLATFORM_NAMES);
  return {
    id: "channels",
    title,
    state: troubled > 0 ? "attention" : "ok",
    summary:
      troubled > 0 ? `С неполадками: ${troubled}` : channels.length > 0 ? "Подключены" : "Ни один канал не подключён",
    rows: [...byPlatform].map(([platform, states]) => ({
      name: PLATFORM_NAMES[platform],
      value: states.map(({ state, count }) => `${CHANNEL_STATES[state]} ${count}`).join(", "),
    })),
  };
}

/** Shares of a model's replies of the last hour that it did not give, from which on somebody should look, and nothing works. */
const MODEL_SHARES = { attention: 0.1, failure: 0.5 };
/** A single failure says little. */
const FEW_FAILURES = 3;

function modelFact({ llm, modelFiles }: ReportDeps["config"]): HealthFact {
  const [asked, failed] = [lastHour.modelReplies.total(), lastHour.modelFailures.total()];
  const share = asked === 0 ? 0 : failed / asked;
  const state: HealthState =
    failed >= FEW_FAILURES && share >= MODEL_SHARES.failure
      ? "failure"
      : failed > 0 && share >= MODEL_SHARES.attention
        ? "attention"
        : "ok";
  const engine = llm !== null ? "Удалённая" : modelFiles?.generator ? "На этом сервере" : "Встроенный движок";
  const summaries: Record<HealthState, string> = {
    ok: asked === 0 ? "За час не спрашивали" : "Отвечает",
    attention: "Отвечает не всегда",
    failure: "Не отвечает",
  };
  return {
    id: "model",
    title: "Модель",
    state,
    summary: summaries[state],
    rows: [
      { name: "По настройкам", value: engine },
      { name: "Ответов модели за час", value: String(asked) },
      { name: "Из них не получилось", value: String(failed) },
    ],
  };
}

/** A share of the heap's limit from which on the process may soon end. */
const FULL_HEAP = 0.85;
/** Delays of the event loop that users notice, and that make the server refuse, ms. */
const LATE_LOOP = { attention: 250, failure: 1000 };

function processFact(): HealthFact {
  const { rss, heapUsed } = process.memoryUsage();
  const limit = getHeapStatistics().heap_size_limit;
  const delay = loopDelay.smoothedMs;
  const tight = heapUsed > limit * FULL_HEAP;
  const state: HealthState =
    delay > LATE_LOOP.failure ? "failure" : tight || delay > LATE_LOOP.attention ? "attention" : "ok";
  return {
    id: "process",
    title: "Память и задержка",
    state,
    summary: delay > LATE_LOOP.attention ? "Сервер перегружен" : tight ? "Памяти мало" : "В норме",
    rows: [
      { name: "Занято памяти", value: sizeOf(rss) },
      { name: "Куча", value: `${sizeOf(heapUsed)} из ${sizeOf(limit)}` },
      { name: "Задержка цикла", value: `${Math.round(delay)} мс` },
      { name: "Наибольшая за минуту", value: `${Math.round(loopDelay.worstMs())} мс` },
    ],
  };
}

/** Per hour; single errors happen. */
const MANY_ERRORS = { attention: 5, failure: 50 };

function errorsFact(): HealthFact {
  const [requests, jobs] = [lastHour.failedRequests.total(), lastHour.failedJobs.total()];
  const all = requests + jobs;
  const state: HealthState = all >= MANY_ERRORS.failure ? "failure" : all >= MANY_ERRORS.attention ? "attention" : "ok";
  return {
    id: "errors",
    title: "Ошибки за час",
    state,
    summary: all === 0 ? "Ошибок не было" : `Ошибок: ${all}`,
    rows: [
      { name: "Запросы", value: String(requests) },
      { name: "Задания", value: String(jobs) },
    ],
  };
}

function serverFact(): HealthFact {
  return {
    id: "server",
    title: "Сервер",
    state: "ok",
    summary: `Версия ${PRODUCT_VERSION}`,
    rows: [
      { name: "Работает", value: durationOf(process.uptime() * 1000) },
      { name: "Node.js", value: process.versions.node },
      { name: "Процесс", value: String(process.pid) },
    ],
  };
}

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const written = (value: number, digits: number) => value.toLocaleString("ru-RU", { maximumFractionDigits: digits });
const sizeOf = (bytes: number): string =>
  bytes >= GB ? `${written(bytes / GB, 1)} ГБ` : `${written(bytes / MB, 0)} МБ`;
const shareOf = (part: number, whole: number): string => `${written(whole === 0 ? 0 : (part / whole) * 100, 0)} %`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** «3 мин», «2 ч 5 мин», «4 д 3 ч» */
export function durationOf(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} с`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} мин`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} ч ${Math.floor((ms % HOUR) / MINUTE)} мин`;
  return `${Math.floor(ms / DAY)} д ${Math.floor((ms % DAY) / HOUR)} ч`;
}
