/** Entry point. Reads the settings and opens the database first, so that a start that cannot succeed fails at once. */
import { readConfig, readEnvironment } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { databaseFailure, startFailure } from "./start-failure.ts";

try {
  const config = readConfig(readEnvironment());
  if (config.modelFiles !== null) {
    const { checkModelFiles } = await import("./models/local-models.ts");
    await checkModelFiles(config.modelFiles);
  }
  const { databaseUrl, databaseRequestUrl: requestUrl, dataDir, databasePool: pool, masterKey } = config;
  const secret = masterKey ?? undefined;
  const options = { databaseUrl, requestUrl, dataDir, pool, ...(secret && { secret }) };
  const database = await openDatabase(options).catch(databaseFailure(config));
  const { serve } = await import("./serve.ts");
  await serve(config, database);
} catch (error) {
  process.stderr.write(`Не удалось запустить: ${startFailure(error)}\n`);
  process.exit(1);
}
