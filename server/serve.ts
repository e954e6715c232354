/** Starts jobs and HTTP on an open database; stops them in reverse. */
import { flushCompileCache } from "node:module";
import { basename } from "node:path";
import { createApp } from "./app.ts";
import { serveSnapshots } from "./backup/embedded-snapshot.ts";
import { startBackups } from "./backup/schedule.ts";
import { startSupervisor } from "./channels/core/supervisor.ts";
import { startCleanup } from "./cleanup.ts";
import type { Config } from "./config.ts";
import type { OpenDatabase } from "./db/database.ts";
import { seedDemo } from "./demo/seed-demo.ts";
import { documentReaders } from "./knowledge/reading/document-readers.ts";
import { createLog } from "./log.ts";
import { monitorEventLoop } from "./process/event-loop-monitor.ts";
import { createServices } from "./services.ts";
import { databaseFailure, listenFailure } from "./start-failure.ts";
import { jobHandlers, resumeJobs } from "./workers.ts";

// A longer drain is cut short, because the process manager would kill the process anyway.
const DRAIN_MS = 9000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns when it listens. SIGTERM and SIGINT end the process. @throws StartError */
export async function serve(config: Config, database: OpenDatabase): Promise<void> {
  const log = createLog(config.logLevel);
  const services = await createServices(config, log, database).catch(databaseFailure(config));
  const app = await createApp(services);
  if (config.demo) await seedDemo(services);
  await resumeJobs(services);
  await services.jobs.start(jobHandlers(services));
  await services.downloads.resume(true);
  const stopWatch = monitorEventLoop(log);
  const stopCleanup = startCleanup(services);
  const supervisor = startSupervisor(services, { alone: services.database.kind === "embedded" });
  const embedded = services.database.kind === "embedded";
  const stopSnapshots = embedded ? serveSnapshots(services.database, config.dataDir, log) : null;
  const stopBackups = startBackups({ config, log });
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    services.readiness.stop();
    const deadline = setTimeout(() => process.exit(1), DRAIN_MS);
    deadline.unref();
    // Requests that still wait for a model are answered without it, so that the drain ends in time.
    await services.modelHost?.end();
    await services.shelf.end();
    await services.downloads.end();
    await app.close();
    await supervisor.stop();
    stopWatch();
    await stopCleanup();
    await stopBackups();
    await stopSnapshots?.();
    await services.jobs.stop();
    documentReaders.end();
    await services.database.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));

  await app.listen({ host: config.host, port: config.port }).catch(listenFailure(config));
  const address = app.addresses()[0];
  const port = typeof address === "object" ? address.port : config.port;
  const store = config.databaseUrl === null ? `встроенная база (${config.dataDir})` : "PostgreSQL";
  const ownModel = config.modelFiles?.generator;
  const engine = config.llm
    ? `модель ${config.llm.model}`
    : ownModel
      ? `модель ${basename(ownModel)} на этой машине`
      : "встроенный движок";
  say(
    `Цифровые двойники: http://localhost:${port} · ${store} · ${engine}${config.demo ? " · демо" : ""} · ` +
      "сменить базу: DATABASE_URL, модель: MODEL_PATH или LLM_BASE_URL и LLM_MODEL (см. docs/configuration.md)",
  );
  // Otherwise it would only be written at the end, which a killed server does not reach.
  flushCompileCache();
}
