/** Writes messages for the operator when the server does not start; each names the setting to change. */
import { BackupError } from "./operations/backup/backup-error.ts";
import { type Config, ConfigError } from "./platform/config.ts";
import { NewerDatabase, OutdatedDatabase, UnfinishedRestore, UnfitDatabase } from "./platform/db/check-database.ts";
import { isDatabaseAway, sqlState } from "./platform/db/database.ts";
import { TablesHeld } from "./platform/db/migrate.ts";
import { RequestRoleError } from "./platform/db/request-role.ts";
import { DataFolderInUse } from "./platform/files/data-folder-lock.ts";
import { findPortHolder } from "./platform/network/port-holder.ts";
import { FilesInOtherStorage } from "./platform/object-storage/file-place.ts";
import { UnknownMasterKey } from "./platform/secrets/unknown-master-key.ts";

/** The start failed for a reason outside the program; the message is for the operator. */
class StartError extends Error {}

/** Returns a `catch` handler for opening the database. It throws a StartError that explains what is wrong with DATABASE_URL or DATA_DIR. */
export function databaseFailure(config: Pick<Config, "databaseUrl" | "dataDir">): (error: unknown) => never {
  return (cause) => {
    // A failed backup may have found a full disk, but not the disk of the database.
    if (cause instanceof BackupError) throw cause;
    const said = config.databaseUrl === null ? folderFault(config.dataDir, cause) : serverFault(cause);
    throw said === null ? cause : new StartError(said, { cause });
  };
}

/** Returns a `catch` handler for listening. It throws a StartError that explains what is wrong with HOST or PORT. */
export function listenFailure({ host, port }: Pick<Config, "host" | "port">): (error: unknown) => Promise<never> {
  return async (cause) => {
    const sentences: Record<string, string> = {
      EADDRINUSE: `порт ${port} занят${await holderOf(port)}. Остановите того, кто его держит, или задайте другой в PORT.`,
      EACCES: `порт ${port} открыть не разрешено. Задайте в PORT номер больше 1023.`,
      EADDRNOTAVAIL: `адреса ${host} на этой машине нет. Исправьте HOST.`,
      ENOTFOUND: `адрес ${host} не найден. Исправьте HOST.`,
      EAI_AGAIN: `адрес ${host} не найден. Исправьте HOST.`,
    };
    const said = sentences[codeOf(cause) ?? ""];
    throw said === undefined ? cause : new StartError(said, { cause });
  };
}

async function holderOf(port: number): Promise<string> {
  const holder = await findPortHolder(port);
  return holder === null ? "" : `: на нём процесс ${holder.pid} (${holder.command})`;
}

/** Returns the text after «Не удалось запустить: »; for bugs it includes a stack trace. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return `неверные настройки\n${error.message}`;
  if (error instanceof BackupError) return `копия перед обновлением не сделана, база не тронута. ${error.message}`;
  if (error instanceof DataFolderInUse || error instanceof UnknownMasterKey || error instanceof FilesInOtherStorage)
    return error.message;
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Message for a database of a build before 0.2.0, which only version 0.2.0 converts. */
const outdated = (setting: string, database: string, another: string) =>
  `${setting}: ${database} сделана сборкой до версии 0.2.0, и обновить её эта сборка не может. Данные не тронуты. ` +
  `Чтобы начать заново, задайте ${another}. Чтобы взять данные с собой, запустите с ней по разу последнюю сборку до 0.2.0 и версию 0.2.0, а потом эту.`;

const newer = (setting: string, database: string) =>
  `${setting}: ${database} обновлена более новой версией программы, эта её не понимает. Данные не тронуты. ` +
  "Запустите ту версию или восстановите в пустую базу копию, сделанную перед обновлением.";

const unfit = (found: string) =>
  `DATABASE_URL: в этой базе строчные и заглавные русские буквы не связаны (${found}), поиск не находил бы слов. База пуста: создайте её ` +
  "заново, с кодировкой и локалью: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.";

function serverFault(error: unknown): string | null {
  if (error instanceof NewerDatabase) return newer("DATABASE_URL", "база");
  if (error instanceof UnfinishedRestore) return `DATABASE_URL: ${error.message}`;
  if (error instanceof UnfitDatabase) return unfit(error.message);
  if (error instanceof OutdatedDatabase) return outdated("DATABASE_URL", "база", "другую базу");
  if (error instanceof RequestRoleError) return error.message;
  if (error instanceof TablesHeld) return `DATABASE_URL: ${error.message}`;
  const state = sqlState(error);
  if (state?.startsWith("28")) return `DATABASE_URL: PostgreSQL не принял имя или пароль (${messageOf(error)}).`;
  if (state === "3D000") return `DATABASE_URL: такой базы нет (${messageOf(error)}).`;
  if (state === "42501") return `DATABASE_URL: роли не хватает прав (${messageOf(error)}). Она должна владеть базой.`;
  const code = codeOf(error);
  if (isDatabaseAway(error) || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `DATABASE_URL: PostgreSQL не отвечает (${code ?? messageOf(error)}). Запустите его или исправьте адрес.`;
  }
  return null;
}

const FOLDER_FAULTS: Record<string, string> = {
  EACCES: "нет прав на запись",
  EPERM: "нет прав на запись",
  EROFS: "диск только для чтения",
  ENOSPC: "на диске нет места",
  ENOTDIR: "это не папка",
  EEXIST: "это не папка",
};

function folderFault(dataDir: string, error: unknown): string | null {
  if (error instanceof NewerDatabase) return newer("DATA_DIR", `база в папке ${dataDir}`);
  if (error instanceof UnfinishedRestore) return `DATA_DIR: ${dataDir}: ${error.message}`;
  if (error instanceof OutdatedDatabase) return outdated("DATA_DIR", `база в папке ${dataDir}`, "другую папку");
  const fault = FOLDER_FAULTS[codeOf(error) ?? ""];
  return fault === undefined ? null : `DATA_DIR: ${dataDir}: ${fault}. Задайте другую папку.`;
}

/** Returns the system error code of the error or of its causes (a refused connection to several addresses nests it). */
function codeOf(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, errors } = current as Error & { code?: unknown; errors?: unknown[] };
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  }
  return undefined;
}

/** Returns the message of the innermost cause, which is the most specific. */
function messageOf(error: unknown): string {
  let message = String(error);
  for (let current = error; current instanceof Error; current = current.cause) message = current.message;
  return message;
}
