/** The process: its settings and its database first, for a start that cannot succeed says so at once; then all the rest. */
import { readConfig, readEnvironment } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { databaseFailure, startFailure } from "./start-failure.ts";

try {
  const config = readConfig(readEnvironment());
  const { databaseUrl, dataDir, databasePool: pool } = config;
  const database = await openDatabase({ databaseUrl, dataDir, pool }).catch(databaseFailure(config));
  const { serve } = await import("./serve.ts");
  await serve(config, database);
} catch (error) {
  process.stderr.write(`Не удалось запустить: ${startFailure(error)}\n`);
  process.exit(1);
}
