/**
 * `npm run rotate-master-key`. With PostgreSQL the new key is MASTER_KEY and the former one MASTER_KEY_PREVIOUS, and servers keep running.
 * With the embedded database the server must be stopped, and the command creates the new key. An interrupted run can be repeated.
 */

import { backUpBeforeUpgrade } from "#server/operations/backup/before-upgrade.ts";
import { openKeyRing } from "#server/operations/master-key/key-ring.ts";
import { rewrapAll } from "#server/operations/master-key/rewrap.ts";
import { ConfigError, readConfig, readEnvironment } from "#server/platform/config.ts";
import { databaseOptions, openDatabase } from "#server/platform/db/database.ts";
import { resealRequestRolePassword } from "#server/platform/db/request-role.ts";
import { addMasterKey, createVault, dropOtherMasterKeys } from "#server/platform/secrets/vault.ts";
import { databaseFailure, startFailure } from "#server/start-failure.ts";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const config = readConfig(readEnvironment());
  const { dataDir, masterKey, otherMasterKeys } = config;
  // Opening the database locks its folder: if a server is running, the command fails before it changes the key.
  const database = await openDatabase({
    ...databaseOptions(config, otherMasterKeys),
    beforeUpgrade: (client, upgrade) => backUpBeforeUpgrade(config, client, upgrade, say),
    say,
  }).catch(databaseFailure(config));
  try {
    if (masterKey === null) addMasterKey(dataDir);
    else if (otherMasterKeys.length === 0) {
      throw new ConfigError(
        "MASTER_KEY: задайте новый ключ, а прежний в MASTER_KEY_PREVIOUS (новый: openssl rand -base64 32)",
      );
    }
    const ring = await openKeyRing(database.db, config);
    const { changed, verified } = await rewrapAll(database.db, createVault(ring), (count) =>
      say(`Перешифровано значений: ${count}`),
    );
    if (masterKey === null) dropOtherMasterKeys(dataDir);
    else await resealRequestRolePassword(database.db, masterKey);
    say(`Готово: перешифровано ${changed}, проверено ${verified}. Действует ключ версии ${ring.current}.`);
    if (masterKey !== null) say("Теперь MASTER_KEY_PREVIOUS можно убрать из настроек и перезапустить серверы.");
  } finally {
    await database.close();
  }
} catch (error) {
  process.stderr.write(`Не удалось сменить ключ: ${startFailure(error)}\n`);
  process.exit(1);
}
