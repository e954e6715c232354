/** Starts the parts that the process's role needs, HTTP before jobs, and stops them in reverse order. */
import { flushCompileCache } from "node:module";
import { basename } from "node:path";
import type { FastifyInstance } from "fastify";
import { administratorState, installationCode } from "./accounts/auth/administrator.ts";
import { createApp, createHealthApp } from "./app.ts";
import { startCleanup, startFileSweep } from "./cleanup.ts";
import { seedDemo } from "./demo/workspace/seed-demo.ts";
import { seedDemoTools } from "./demo/workspace/seed-demo-tools.ts";
import { markInterruptedQuestions } from "./inbox/conversations/interrupted-questions.ts";
import { startSupervisor } from "./inbox/receiving/supervisor.ts";
import { documentReaders } from "./knowledge/documents/document-readers.ts";
import { serveSnapshots } from "./operations/backup/embedded-snapshot.ts";
import { startBackups } from "./operations/backup/schedule.ts";
import { startAlerts } from "./operations/health/alerts.ts";
import { startReporting } from "./operations/health/processes.ts";
import type { Config, Role } from "./platform/config.ts";
import type { OpenDatabase } from "./platform/db/database.ts";
import { startVacuum } from "./platform/db-upkeep/embedded-vacuum.ts";
import { startBackfills } from "./platform/jobs/backfills.ts";
import { shareForegroundActivity } from "./platform/jobs/foreground-activity.ts";
import { runWithLock } from "./platform/jobs/one-at-a-time.ts";
import { createLog } from "./platform/log.ts";
import { monitorEventLoop } from "./platform/process/event-loop-monitor.ts";
import { endPhase, takePhases } from "./platform/process/start-phases.ts";
import { endTracing } from "./platform/process/tracing.ts";
import { createServices, type Services } from "./services.ts";
import { databaseFailure, listenFailure } from "./start-failure.ts";
import { untilDatabaseAnswers } from "./start-retries.ts";
import { jobHandlers, resumeJobs } from "./workers.ts";

/** Milliseconds after the bound of STOP_SECONDS in which everything else ends; then the process ends anyway. */
const CLOSE_MS = 5000;
/** Milliseconds of that bound that are left to jobs when requests have taken the rest. */
const LAST_JOBS_MS = 1000;

const onThisMachine = (port: number): string => `http://localhost:${port}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Resolves when everything has begun; requests are answered before that. SIGTERM and SIGINT end the process. @throws StartError */
export async function serve(config: Config, database: OpenDatabase): Promise<void> {
  const log = createLog(config.logLevel);
  const services = await createServices(config, log, database, say).catch(databaseFailure(config));
  endPhase("services");
  const app = await (config.role === "worker" ? createHealthApp(services) : createApp(services));
  endPhase("routes");
  await services.writing.look();
  const stopGuard = services.writing.start();
  if (config.role !== "web") await prepareWork(services);
  endPhase("demo, interrupted questions");
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<() => Promise<void>>();
  // Who called `serve` hears of it.
  begun.catch(() => {});
  const stopping = new AbortController();
  const stop = async (signal: string): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort(new Error(signal));
    log.info({ signal }, "stopping");
    services.readiness.stop();
    const until = Date.now() + config.stopMs;
    const deadline = setTimeout(() => process.exit(1), config.stopMs + LAST_JOBS_MS + CLOSE_MS);
    deadline.unref();
    const stopOthers = await begun.catch(() => async () => {});
    services.jobs.windDown();
    await services.downloads.end();
    // The port stays open and says that the server restarts. Models are needed as long as replies may go on.
    const all = await app.drain(config.stopMs);
    if (!all) log.warn("replies under way were cut off; they are made after the next start");
    await services.jobs.stop(Math.max(until - Date.now(), LAST_JOBS_MS));
    await services.modelHost?.end();
    await services.modelRegistry.end();
    await closeApp(app);
    await stopOthers();
    await services.localMedia.close();
    stopGuard();
    documentReaders.end();
    await services.database.close();
    await endTracing();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));

  await app.listen({ host: config.host, port: config.port }).catch(listenFailure(config));
  endPhase("port open");
  const address = app.addresses()[0];
  const port = typeof address === "object" ? address.port : config.port;
  // Without PUBLIC_URL, the configured address contains the requested port, which may be 0.
  const isPublic = config.role !== "worker" && config.publicUrl !== onThisMachine(config.port);
  const reached = isPublic ? `${config.publicUrl} (порт ${port})` : onThisMachine(port);
  const store = config.databaseUrl === null ? `встроенная база (${config.dataDir})` : "PostgreSQL";
  const ownModel = config.modelFiles?.generator;
  const engine = config.llm
    ? `модель ${config.llm.model}`
    : ownModel
      ? `модель ${basename(ownModel)} на этой машине`
      : "встроенный движок";
  say(
    `Цифровые двойники: ${reached} · ${ROLE_NAMES[config.role]}${store} · ${engine}${config.demo ? " · демо" : ""} · ` +
      "сменить базу: DATABASE_URL, модель: MODEL_PATH или LLM_BASE_URL и LLM_MODEL (см. docs/configuration.md)",
  );
  const whenItAnswers: RepeatedStep = (step) => untilDatabaseAnswers(step, { signal: stopping.signal, log });
  const start = async () => {
    if (config.role !== "worker")
      await whenItAnswers(() => sayWhoAdministers(services, isPublic ? config.publicUrl : onThisMachine(port)));
    return startOthers(services, whenItAnswers);
  };
  try {
    begin(await start());
  } catch (error) {
    fail(error);
    // The end has begun, and it ends the process.
    if (stopping.signal.aborted) return;
    throw error;
  }
  log.info({ phases: takePhases() }, "started");
  // By default Node.js writes the compile cache at exit, which a killed server never reaches.
  flushCompileCache();
}

/** Repeats a step while the database is away. */
type RepeatedStep = (step: () => Promise<void>) => Promise<void>;

/** Starts what no request waits for, which takes a quarter of the whole start. Returns a function that stops it. */
async function startOthers(services: Services, whenItAnswers: RepeatedStep): Promise<() => Promise<void>> {
  const { config, log, database } = services;
  if (config.role !== "web") await whenItAnswers(() => resumeJobs(services));
  const stopWork = config.role === "web" ? null : await startWork(services);
  endPhase("jobs begun");
  await whenItAnswers(() => services.downloads.resume(true));
  const stopAsking = services.reached.start();
  const stopWatch = monitorEventLoop(log);
  const stopSharing = await shareForegroundActivity(database, log);
  const stopAlerts = startAlerts(services);
  const stopReporting = startReporting(services);
  const stopFileSweep = startFileSweep(services);
  endPhase("alerts, sweeps");
  return async () => {
    await stopWork?.();
    stopAsking();
    stopWatch();
    await stopAlerts();
    await stopReporting();
    await stopFileSweep();
    await stopSharing();
  };
}

/** A client that does not take its answer must not hold the end up. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), LAST_JOBS_MS).unref();
  await app.close();
  clearTimeout(cut);
}

/** Prints at each start how to become administrator, until the installation has one. */
async function sayWhoAdministers({ config, db, vault }: Services, address: string): Promise<void> {
  const administrator = await administratorState(db, config);
  const code = installationCode(vault);
  if (administrator === "first") {
    say(
      `Администратора у установки ещё нет. Им станет первый аккаунт, который подтвердит почту: зарегистрируйтесь на ${address}/register` +
        `${config.smtpUrl === null ? ", ссылка для подтверждения появится здесь же" : ""}. ` +
        `Уже подтверждённому аккаунту нужен код администратора: ${code}`,
    );
  } else if (administrator === "code") {
    say(
      `Администратора у установки ещё нет. Зарегистрируйтесь на ${address}/register, подтвердите почту и введите код администратора: ${code}`,
    );
  }
}

const ROLE_NAMES: Record<Role, string> = { all: "", web: "только веб · ", worker: "только фоновая работа · " };

/** Does what the first request may see. */
async function prepareWork(services: Services): Promise<void> {
  const { config, database } = services;
  if (config.demo) await runWithLock(database, "demo", () => seedDemo(services));
  if (database.kind === "embedded") await markInterruptedQuestions(database.db);
}

/** Starts all background work. Returns a function that stops it. */
async function startWork(services: Services): Promise<() => Promise<void>> {
  const { config, log, database } = services;
  const embedded = database.kind === "embedded";
  await services.jobs.start(jobHandlers(services));
  const stopBackfills = startBackfills(database, log);
  const stopCleanup = startCleanup(services);
  const supervisor = startSupervisor(services, { alone: embedded });
  const stopSnapshots = embedded ? serveSnapshots(database, config.dataDir, log) : null;
  const stopVacuum = embedded ? startVacuum(database, log) : null;
  const stopBackups = startBackups({ config, log });
  // Reading a table starts a process, so it waits until the server answers.
  const seeding = config.demo
    ? runWithLock(database, "demo", () => seedDemoTools(services)).catch((error: unknown) =>
        log.warn({ err: error }, "the demo's tools were not made"),
      )
    : null;
  return async () => {
    await seeding;
    await supervisor.stop();
    await stopBackfills();
    await stopCleanup();
    await stopVacuum?.();
    await stopBackups();
    await stopSnapshots?.();
  };
}
