/**
 * `npm run backup -- FILE`: writes one encrypted file of all data while the server runs. `-- --verify FILE` checks one. The schedule adds
 * `--scheduled`: only its failures are recorded, because a person sees the result of a manual run.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { writtenSize } from "#contract/written-size.ts";
import { decryptionKeyOf } from "#server/operations/backup/age-file.ts";
import { BackupError, BackupUnderWay, UNDER_WAY } from "#server/operations/backup/backup-error.ts";
import { recordBackup, recordFailure } from "#server/operations/backup/last-backup.ts";
import { makeBackup } from "#server/operations/backup/make-backup.ts";
import { readBackup } from "#server/operations/backup/read-backup.ts";
import { readConfig, readEnvironment } from "#server/platform/config.ts";
import { databaseFailure, startFailure } from "#server/start-failure.ts";

const USAGE = "npm run backup -- ФАЙЛ — сделать копию; npm run backup -- --verify ФАЙЛ — проверить";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());

try {
  const { values, positionals } = parseArgs({
    options: { verify: { type: "boolean" }, scheduled: { type: "boolean" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new BackupError(USAGE);
  const config = readConfig(readEnvironment());
  if (values.verify === true) {
    const { manifest, sums } = await readBackup(file, decryptionKeyOf(config.backup));
    const rows = Object.values(sums.tables).reduce((sum, table) => sum + table.rows, 0);
    say(
      `Копия цела: ${manifest.at}, версия ${manifest.product}, строк ${rows}, файлов ${Object.keys(sums.files).length}.`,
    );
  } else {
    try {
      const made = await makeBackup(config, file, { say, signal: ending.signal }).catch(databaseFailure(config));
      const { bytes, seconds, rows, files, models } = made;
      await recordBackup(config.dataDir, { at: new Date(), file: resolve(file), bytes, seconds, verified: true });
      say(
        `Готово: ${file}, ${writtenSize(bytes)}, строк ${rows}, файлов ${files}, ${seconds.toFixed(1)} с. Прочитана заново, цела.`,
      );
      say("Внутри и главный ключ: с этим файлом и его фразой открывается всё.");
      if (models.length > 0) say(`Файлы моделей не включены, их скачивают заново: ${models.join(", ")}.`);
    } catch (error) {
      if (values.scheduled === true && !ending.signal.aborted && !(error instanceof BackupUnderWay))
        await recordFailure(config.dataDir, failureOf(error));
      throw error;
    }
  }
} catch (error) {
  process.stderr.write(`Копия не сделана: ${ending.signal.aborted ? "прервано" : failureOf(error)}\n`);
  process.exitCode = ending.signal.aborted ? 130 : error instanceof BackupUnderWay ? UNDER_WAY : 1;
}

function failureOf(error: unknown): string {
  return error instanceof BackupError ? error.message : startFailure(error);
}
