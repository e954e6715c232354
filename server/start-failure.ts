/** What the person who starts the server is told when it does not start: a sentence that names the setting to change. */
import { type Config, ConfigError } from "./config.ts";
import { DataFolderInUse } from "./db/data-folder-lock.ts";
import { isDatabaseAway, sqlState } from "./db/database.ts";
import { RequestRoleError } from "./db/request-role.ts";
import { UnknownMasterKey } from "./records/master-key/key-ring.ts";

/** The start failed for a reason outside the program; the message is for the person who started it. */
class StartError extends Error {}

/** For `catch` of opening the database: says what is wrong with DATABASE_URL or DATA_DIR. @throws always */
export function databaseFailure(config: Pick<Config, "databaseUrl" | "dataDir">): (error: unknown) => never {
  return (cause) => {
    const said = config.databaseUrl === null ? folderFault(config.dataDir, cause) : serverFault(cause);
    throw said === null ? cause : new StartError(said, { cause });
  };
}

/** For `catch` of listening: says what is wrong with HOST or PORT. @throws always */
export function listenFailure({ host, port }: Pick<Config, "host" | "port">): (error: unknown) => never {
  return (cause) => {
    const sentences: Record<string, string> = {
      EADDRINUSE: `порт ${port} занят. Остановите того, кто его держит, или задайте другой в PORT.`,
      EACCES: `порт ${port} открыть не разрешено. Задайте в PORT номер больше 1023.`,
      EADDRNOTAVAIL: `адреса ${host} на этой машине нет. Исправьте HOST.`,
      ENOTFOUND: `адрес ${host} не найден. Исправьте HOST.`,
      EAI_AGAIN: `адрес ${host} не найден. Исправьте HOST.`,
    };
    const said = sentences[codeOf(cause) ?? ""];
    throw said === undefined ? cause : new StartError(said, { cause });
  };
}

/** The text after «Не удалось запустить: »; with a stack where the fault is ours. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return `неверные настройки\n${error.message}`;
  if (error instanceof DataFolderInUse || error instanceof UnknownMasterKey || error instanceof StartError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function serverFault(error: unknown): string | null {
  if (error instanceof RequestRoleError) return error.message;
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
  const fault = FOLDER_FAULTS[codeOf(error) ?? ""];
  return fault === undefined ? null : `DATA_DIR: ${dataDir}: ${fault}. Задайте другую папку.`;
}

/** System code of the error or of what caused it (a refused connection to several addresses has it inside). */
function codeOf(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, errors } = current as Error & { code?: unknown; errors?: unknown[] };
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  }
  return undefined;
}

/** The innermost cause says it best. */
function messageOf(error: unknown): string {
  let message = String(error);
  for (let current = error; current instanceof Error; current = current.cause) message = current.message;
  return message;
}
