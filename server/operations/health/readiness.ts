/** Readiness check for load balancers; answers in bounded time whatever the database and the disk do. */
import type { FastifyInstance } from "fastify";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { WriteGuard } from "#server/platform/db-upkeep/write-guard.ts";
import { type Problem, unavailable } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { toProblemBody } from "#server/platform/http/answer-errors.ts";
import { stuckQueues } from "#server/platform/jobs/queue-depth.ts";
import { isFull } from "./disk-room.ts";
import { ANSWER_MS, withTimeout } from "./in-time.ts";

export type Check = "stopping" | "database" | "writing" | "disk" | "jobs";

const RETRY = { retryAfter: 5 };
const REFUSALS: Record<Check, () => Problem> = {
  stopping: () => unavailable("stopping", "Сервер перезапускается.", RETRY),
  database: () => unavailable("database_away", `База данных не ответила за ${ANSWER_MS / 1000} секунды.`, RETRY),
  writing: () => unavailable("cannot_write", "Нельзя писать: на диске кончилось место.", RETRY),
  disk: () => unavailable("disk_full", "На диске сервера почти не осталось места.", RETRY),
  jobs: () => unavailable("jobs_stuck", "Фоновая работа стоит: задания ждут, и ни одно не выполняется.", RETRY),
};

export interface Readiness {
  /** Returns the failing checks, most severe first; empty: ready. */
  failing(): Promise<readonly Check[]>;
  /** Returns only failures of this process, whatever else is wrong with the installation. */
  failingItself(): readonly Check[];
  /** Returns what does not work although the server is ready: replies to people need no files. */
  degraded(): Promise<readonly "storage"[]>;
  /** Makes the server unready, because it is about to end. */
  stop(): void;
}

interface ReadinessDeps {
  config: Pick<Config, "diskFloorBytes" | "jobsStuckMs">;
  db: Database;
  disk: Pick<Disk, "measure">;
  files: Pick<FileStore, "check">;
  writing: Pick<WriteGuard, "obstacle" | "look">;
}

export function createReadiness({ config, db, disk, files, writing }: ReadinessDeps): Readiness {
  let stopping = false;
  const askJobs = withTimeout(async () => (await stuckQueues(db, config.jobsStuckMs)).length > 0);
  const askDisk = withTimeout(async () => isFull(await disk.measure(), config.diskFloorBytes));
  const askFiles = withTimeout(async () => files.check().then(() => true));
  return {
    failingItself: () => (stopping ? ["stopping"] : []),
    async failing() {
      if (stopping) return ["stopping"];
      // The next answer has what it finds: a write may take longer than a balancer waits.
      void writing.look();
      const [stuck, full] = await Promise.all([askJobs(), askDisk()]);
      return [
        ...(stuck === null ? (["database"] as const) : []),
        ...(writing.obstacle === null ? [] : (["writing"] as const)),
        // A disk that does not answer takes no writes either.
        ...(full !== false ? (["disk"] as const) : []),
        ...(stuck ? (["jobs"] as const) : []),
      ];
    },
    degraded: async () => ((await askFiles()) === null ? ["storage"] : []),
    stop() {
      stopping = true;
    },
  };
}

/**
 * `/healthz`: the process is alive. `/readyz`: it may receive requests; `degraded` names what does not work. If unready, `checks` names
 * only the failures. `/readyz?of=process` is for balancers that respond to no one when all servers fail alike. The servers themselves then
 * report failures of the database, the disk or the jobs.
 */
export function mountReadiness(app: FastifyInstance, readiness: Readiness): void {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get<{ Querystring: { of?: string } }>("/readyz", async (request, reply) => {
    const alone = request.query.of === "process";
    const checks = alone ? readiness.failingItself() : await readiness.failing();
    const [gravest] = checks;
    if (gravest === undefined) {
      if (alone) return { status: "ok" };
      const degraded = await readiness.degraded();
      return { status: "ok", ...(degraded.length > 0 && { degraded }) };
    }
    const problem = REFUSALS[gravest]();
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .send({ ...toProblemBody(problem, request.id), checks });
  });
}
