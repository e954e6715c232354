/** `npm run restore -- FILE`: restores a backup into an empty database of either engine, on any machine. */
import { parseArgs } from "node:util";
import { BackupError } from "#server/operations/backup/backup-error.ts";
import { restoreBackup } from "#server/operations/backup/restore-backup.ts";
import { readConfig, readEnvironment } from "#server/platform/config.ts";
import { databaseFailure, startFailure } from "#server/start-failure.ts";

const USAGE =
  "npm run restore -- ФАЙЛ [--replace] [--continue]. --replace удаляет то, что есть в базе; " +
  "--continue — сервер, с которого копия, остановлен до неё: двойники отвечают дальше";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const { values, positionals } = parseArgs({
    options: { replace: { type: "boolean" }, continue: { type: "boolean" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new BackupError(USAGE);
  const config = readConfig(readEnvironment());
  const options = { say, replace: values.replace === true, goOn: values.continue === true };
  const { manifest, rows, files, jobs, secrets } = await restoreBackup(config, file, options).catch(
    databaseFailure(config),
  );
  say(`Готово: строк ${rows}, файлов ${files}, задач в очереди ${jobs}, секретов открыто ${secrets}.`);
  if (!options.goOn) {
    say("Двойники остановлены, их ожидавшие ответы стали черновиками: прежний сервер мог отправить их после копии.");
    say("Администраторы организаций включают двойников сами, когда посмотрят диалоги.");
  }
  if (manifest.models.length > 0) say(`Скачайте заново модели: ${manifest.models.join(", ")}.`);
} catch (error) {
  process.stderr.write(`Не восстановлено: ${error instanceof BackupError ? error.message : startFailure(error)}\n`);
  process.exitCode = 1;
}
