/** Entry point. Reads the settings and opens the database first, so that a start that cannot succeed fails at once. */

import { findMisspelt, readConfig, readEnvironment } from "./platform/config.ts";
import { databaseOptions, openDatabase } from "./platform/db/database.ts";
import type { MigrationOptions } from "./platform/db/migrate.ts";
import { waitForRoom } from "./platform/files/wait-for-room.ts";
import { PRODUCT_VERSION } from "./platform/http/product-version.ts";
import { createUpgradingServer } from "./platform/http/upgrading-server.ts";
import { createLog } from "./platform/log.ts";
import { endPhase } from "./platform/process/start-phases.ts";
import { traceWith } from "./platform/process/tracing.ts";
import { databaseFailure, startFailure } from "./start-failure.ts";

endPhase("Node and modules of main");
try {
  const environment = readEnvironment();
  for (const { given, meant } of findMisspelt(environment))
    process.stderr.write(`${given}: такой настройки нет, значение не действует. Похоже на ${meant}.\n`);
  const config = readConfig(environment);
  if (config.tracing !== null) {
    const { openTelemetry } = await import("./platform/process/open-telemetry.ts");
    traceWith(openTelemetry(config.tracing, { log: createLog(config.logLevel), version: PRODUCT_VERSION }));
  }
  if (config.modelFiles !== null) {
    const { checkModelFiles } = await import("./models/local/local-models.ts");
    await checkModelFiles(config.modelFiles);
  }
  const options = databaseOptions(config, config.otherMasterKeys);
  const upgrading = createUpgradingServer(config);
  const say = (line: string) => {
    process.stdout.write(`${line}\n`);
    upgrading.listen();
  };
  if (config.databaseUrl === null) {
    await waitForRoom(config.dataDir, {
      say(line) {
        process.stdout.write(`${line}\n`);
        upgrading.listen("writing");
      },
    });
  }
  const beforeUpgrade: MigrationOptions["beforeUpgrade"] = async (client, upgrade) => {
    const { backUpBeforeUpgrade } = await import("./operations/backup/before-upgrade.ts");
    await backUpBeforeUpgrade(config, client, upgrade, say);
  };
  const waitForUpgrade = config.role === "web";
  const database = await openDatabase({ ...options, beforeUpgrade, waitForUpgrade, say }).catch(
    databaseFailure(config),
  );
  await upgrading.close();
  endPhase("database opened");
  const { serve } = await import("./serve.ts");
  endPhase("modules of the server");
  await serve(config, database);
} catch (error) {
  process.stderr.write(`Не удалось запустить: ${startFailure(error)}\n`);
  process.exit(1);
}
