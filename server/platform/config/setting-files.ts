import { readFileSync } from "node:fs";

/** Far more than any setting needs, so that a path to a log or a device is not read as a secret. */
const MAX_BYTES = 64 * 1024;

interface ReadSettings {
  /** Values by setting name; empty ones are left out. */
  values: Record<string, string>;
  /** Path of the file that a setting was read from, by setting name. */
  files: Record<string, string>;
  /** A sentence for each setting that could not be read. */
  faults: string[];
}

/**
 * Reads each setting from its variable or from the file that `NAME_FILE` names (Docker secrets, systemd credentials), without the file's
 * final line break.
 * @param names the known settings
 */
export function readSettingFiles(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): ReadSettings {
  const read: ReadSettings = { values: {}, files: {}, faults: [] };
  for (const name of names) {
    const own = environment[name] || undefined;
    const path = environment[`${name}_FILE`] || undefined;
    if (own !== undefined && path !== undefined) {
      read.faults.push(`${name} и ${name}_FILE: заданы оба, оставьте одно из двух`);
    } else if (own !== undefined) {
      read.values[name] = own;
    } else if (path !== undefined) {
      const { value, fault } = readSetting(path);
      if (fault !== undefined) read.faults.push(`${name}_FILE: ${fault}`);
      else {
        read.values[name] = value;
        read.files[name] = path;
      }
    }
  }
  return read;
}

const SYSTEM_FAULTS: Record<string, (path: string) => string> = {
  ENOENT: (path) => `файла ${path} нет`,
  ENOTDIR: (path) => `файла ${path} нет`,
  EISDIR: (path) => `${path} — это папка, а не файл`,
  EACCES: (path) => `нет прав на чтение файла ${path}: дайте их пользователю, от имени которого работает сервер`,
  EPERM: (path) => `нет прав на чтение файла ${path}: дайте их пользователю, от имени которого работает сервер`,
};

function readSetting(path: string): { value: string; fault?: undefined } | { value?: undefined; fault: string } {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return { fault: SYSTEM_FAULTS[code]?.(path) ?? `файл ${path} не читается (${code || String(error)})` };
  }
  if (content.length > MAX_BYTES) return { fault: `файл ${path} больше 64 КБ, это не значение настройки` };
  const value = content.toString("utf8").replace(/\r?\n$/, "");
  return value === "" ? { fault: `файл ${path} пуст` } : { value };
}
