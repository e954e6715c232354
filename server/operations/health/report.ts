/** The facts in Russian with their states, for the page «Состояние» and for alerts to the administrator. */
import type { Health, HealthFact, HealthState } from "#contract/health.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { writtenSize } from "#contract/written-size.ts";
import { readBackupState } from "#server/operations/backup/last-backup.ts";
import { backupsOf, type KnownBackups, newestOf } from "#server/operations/backup/stored-backups.ts";
import type { Config } from "#server/platform/config.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import type { JobName } from "#server/platform/jobs/catalogue.ts";
import { alertWaysOf } from "./alerts/send-alert.ts";
import { isFull } from "./disk-room.ts";
import type { ChannelState, InstallationFacts } from "./facts.ts";
import { isGraver, mergeThisProcess, processFact, serverFact, shownProcess } from "./process-facts.ts";
import type { KnownProcess, ThisProcess } from "./processes.ts";
import { durationOf, HOUR, shareOf } from "./written-figures.ts";

export interface ReportDeps {
  config: Pick<
    Config,
    "alerts" | "dataDir" | "diskFloorBytes" | "jobsStuckMs" | "llm" | "modelFiles" | "smtpUrl" | "storage"
  >;
  facts: () => Promise<InstallationFacts>;
  database: Pick<OpenDatabase, "kind">;
  self: ThisProcess;
}

export async function healthReport(deps: ReportDeps): Promise<Health> {
  const { config, self } = deps;
  const facts = await deps.facts();
  const processes = mergeThisProcess(facts.processes, self);
  const found = [
    databaseFact(facts, deps.database.kind),
    diskFact(facts, config),
    backupFact(await backupsNow(facts, config.dataDir, self.host), scheduleOf(processes), facts.at),
    lettersFact(facts, config),
    queuesFact(facts, config),
    channelsFact(facts),
    modelFact(config, processes),
    processFact(processes),
    errorsFact(processes),
    serverFact(processes, facts.processes !== null),
  ];
  const gravest = found.reduce<HealthState>((worst, { state }) => (isGraver(state, worst) ? state : worst), "ok");
  return {
    at: facts.at.toISOString(),
    state: gravest,
    facts: found,
    processes: processes.map((each) => shownProcess(each, self)),
    alertWays: alertWaysOf(config.alerts),
  };
}

/** Only some processes make backups, and only they have the folder configured. */
function scheduleOf(processes: readonly KnownProcess[]): number | null {
  const hours = processes.flatMap(({ backupHours }) => backupHours ?? []);
  return hours.length === 0 ? null : Math.min(...hours);
}

const NO_BACKUPS: KnownBackups = { last: null, failure: null };

/** The process that makes backups knows its results before the database has them. */
const backupsNow = async ({ backups }: InstallationFacts, dataDir: string, host: string): Promise<KnownBackups> =>
  newestOf(backups ?? NO_BACKUPS, backupsOf(await readBackupState(dataDir), host));

const sumOf = (processes: readonly KnownProcess[], count: (process: KnownProcess) => number): number =>
  processes.reduce((sum, each) => sum + count(each), 0);

/** The state of a fact that needs no setup. */
type KnownState = Exclude<HealthState, "unset">;

const UNKNOWN = "Неизвестно: база не отвечает";
/** Milliseconds of delay that users notice. */
const SLOW_DATABASE_MS = 1000;

export function databaseFact(
  { databaseMs, connections, backfills, unwritable }: InstallationFacts,
  kind: OpenDatabase["kind"],
): HealthFact {
  const waiting = connections.reduce((sum, pool) => sum + pool.waiting, 0);
  const slow = databaseMs !== null && databaseMs > SLOW_DATABASE_MS;
  const full = unwritable === "database";
  return {
    id: "database",
    title: "База данных",
    state: databaseMs === null || full ? "failure" : slow ? "attention" : "ok",
    summary:
      databaseMs === null
        ? "Не отвечает"
        : full
          ? "Писать нельзя: на её диске кончилось место"
          : slow
            ? "Отвечает медленно"
            : "Отвечает",
    rows: [
      ...(full ? [{ name: "Что делать", value: FREE_DATABASE }] : []),
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

const WAITS = "Пока его нет, новое не принимается и ничего не теряется; потом всё продолжится само";
const FREE_DATABASE = `Освободите место на диске PostgreSQL или увеличьте его. ${WAITS}`;
const FREE_DISK = `Удалите лишнее с диска с данными или увеличьте его. ${WAITS}`;

/** Share of free space below which the page warns: twice the share at which the disk counts as full. */
const SHORT_SHARE = 0.1;

function diskFact(
  { disk, files, unwritable }: InstallationFacts,
  { diskFloorBytes, storage }: Pick<Config, "diskFloorBytes" | "storage">,
): HealthFact {
  const title = storage === null ? "Диск" : "Диск и файлы";
  if (disk === null) return { id: "disk", title, state: "failure", summary: "Не отвечает", rows: [] };
  const stopped = unwritable === "disk";
  const full = stopped || isFull(disk, diskFloorBytes);
  const short = disk.freeBytes < (diskFloorBytes === null ? disk.totalBytes * SHORT_SHARE : diskFloorBytes * 2);
  return {
    id: "disk",
    title,
    state: full || !files ? "failure" : short ? "attention" : "ok",
    summary: stopped
      ? "Писать нельзя: места не осталось"
      : full
        ? "Места почти нет, загрузки не принимаются"
        : !files
          ? "Хранилище файлов не отвечает"
          : short
            ? "Места мало"
            : "Места достаточно",
    rows: [
      ...(stopped ? [{ name: "Что делать", value: FREE_DISK }] : []),
      { name: "Свободно", value: `${writtenSize(disk.freeBytes)} (${shareOf(disk.freeBytes, disk.totalBytes)})` },
      { name: "Всего", value: writtenSize(disk.totalBytes) },
      ...(storage === null ? [] : [{ name: "Хранилище файлов", value: files ? "отвечает" : "не отвечает" }]),
    ],
  };
}

/**
 * Describes the age of the last backup.
 * @param hours between scheduled ones; null: no process makes any, so existing ones were made manually
 */
export function backupFact({ last, failure }: KnownBackups, hours: number | null, now: Date): HealthFact {
  const scheduled = hours !== null;
  const age = last === null ? null : Math.max(0, now.getTime() - last.at.getTime());
  // A due backup may take a while, and a failed one is retried.
  const late = scheduled && age !== null && age > 2 * hours * HOUR;
  const unverified = last !== null && !last.verified;
  const state: KnownState = failure !== null ? "failure" : !scheduled || late || unverified ? "attention" : "ok";
  const summaries = [
    failure !== null && "Последняя попытка не удалась",
    !scheduled && "Сами копии не делаются: их включают при установке",
    late && "Копии давно не было",
    unverified && "Последняя копия не проверена",
    last === null ? "Первой копии ещё не было" : "Копии делаются",
  ];
  return {
    id: "backup",
    title: "Резервная копия",
    state,
    ...(!scheduled && failure === null && { isUnconfigured: true }),
    summary: summaries.find((one) => one !== false)!,
    rows: [
      ...(failure === null ? [] : [{ name: "Причина", value: failure.reason }]),
      ...(last === null
        ? []
        : [
            { name: "Последняя", value: `${durationOf(age!)}\u00a0назад` },
            { name: "Размер", value: writtenSize(last.bytes) },
            { name: "Прочитана и проверена", value: last.verified ? "да" : "нет" },
          ]),
      ...(scheduled ? [{ name: "Раз в", value: `${hours} ч` }] : []),
    ],
  };
}

/** A mail server's refusal of a letter is reported when the letter is requested. */
const lettersFact = ({ letters }: InstallationFacts, { smtpUrl }: Pick<Config, "smtpUrl">): HealthFact => ({
  id: "letters",
  title: "Письма",
  state: smtpUrl === null ? "unset" : letters === false ? "failure" : "ok",
  summary:
    smtpUrl === null
      ? "Письма с\u00a0этого сервера не\u00a0уходят"
      : letters === null
        ? "Почтовый сервер указан"
        : letters
          ? "Почтовый сервер отвечает"
          : "Почтовый сервер не отвечает",
  rows: [],
});

const JOB_NAMES: Record<JobName, string> = {
  "take-exam": "Экзамены моделей",
  "take-shared-exam": "Экзамены моделей сервера",
  "take-twin-exam": "Экзамены двойников",
  "train-twin": "Обучение двойников",
  "learn-embeddings": "Поиск по смыслу",
  "measure-fidelity": "Измерение сходства",
  "replay-corrections": "Проверка исправлений",
  "find-facts": "Поиск фактов",
  "close-gaps": "Вопросы без ответа",
  "read-website": "Чтение сайтов",
  "preview-import": "Чтение выгрузок",
  "run-import": "Импорт выгрузок",
  "import-account": "Импорт аккаунтов",
  "list-dialogs": "Списки диалогов",
  "process-inbox": "Ответы собеседникам",
  "read-media": "Голосовые сообщения и картинки",
  "read-original": "Записи и картинки в базе знаний",
  "read-imported": "Голосовые и картинки из выгрузок",
  "send-outbox": "Отправка сообщений",
  "wake-conversation": "Возврат отложенных",
  "notify-owner": "Уведомления владельцам",
  "notify-member": "Уведомления в браузеры и на почту",
  "deliver-webhook": "Вебхуки",
  "fill-crm": "Передача в CRM",
  "make-export": "Выгрузки данных",
};

function queuesFact({ queues, stuck }: InstallationFacts, { jobsStuckMs }: Pick<Config, "jobsStuckMs">): HealthFact {
  const title = "Очереди заданий";
  if (queues === null) return { id: "queues", title, state: "attention", summary: UNKNOWN, rows: [] };
  const oldest = Math.max(0, ...queues.map(({ oldestMs }) => oldestMs));
  const late = oldest > jobsStuckMs;
  const summaries: Record<KnownState, string> = {
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
      value:
        waiting > 0
          ? `ждут ${waiting}, выполняются ${running}, старшее ждёт ${durationOf(oldestMs)}`
          : `ждут ${waiting}, выполняются ${running}`,
    })),
  };
}

const CHANNEL_STATES: Record<ChannelState, (count: number) => string> = {
  active: (count) => `работают: ${count}`,
  inactive: (count) => `выключены: ${count}`,
  error: (count) => `с ошибкой: ${count}`,
  trouble: (count) => `без связи: ${count}`,
};

function channelsFact({ channels }: InstallationFacts): HealthFact {
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
      value: states.map(({ state, count }) => CHANNEL_STATES[state](count)).join(", "),
    })),
  };
}

/** Shares of a model's failed replies in the last hour that mean a warning and a failure. */
const MODEL_SHARES = { attention: 0.1, failure: 0.5 };
/** Minimum number of failed replies that means a failure, because a single one says little. */
const FEW_FAILURES = 3;

function modelFact({ llm, modelFiles }: ReportDeps["config"], processes: readonly KnownProcess[]): HealthFact {
  const asked = sumOf(processes, ({ modelReplies }) => modelReplies);
  const failed = sumOf(processes, ({ modelFailures }) => modelFailures);
  const share = asked === 0 ? 0 : failed / asked;
  const state: KnownState =
    failed >= FEW_FAILURES && share >= MODEL_SHARES.failure
      ? "failure"
      : failed > 0 && share >= MODEL_SHARES.attention
        ? "attention"
        : "ok";
  const engine = llm !== null ? "Удалённая" : modelFiles?.generator ? "На этом сервере" : "Встроенный движок";
  const summaries: Record<KnownState, string> = {
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

/** Errors per hour that mean a warning and a failure. Fewer are normal. */
const MANY_ERRORS = { attention: 5, failure: 50 };

function errorsFact(processes: readonly KnownProcess[]): HealthFact {
  const requests = sumOf(processes, ({ failedRequests }) => failedRequests);
  const jobs = sumOf(processes, ({ failedJobs }) => failedJobs);
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
