/** Readiness check for load balancers, answered in bounded time whatever the database and the disk do. */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { type Problem, unavailable } from "#server/errors.ts";
import type { Disk } from "#server/files/disk.ts";
import { toProblemBody } from "#server/http/answer-errors.ts";
import { stuckQueues } from "#server/jobs/queue-depth.ts";
import { isFull } from "./disk-room.ts";

/** Whatever takes longer to answer is considered unavailable. */
export const READY_MS = 2000;

export type Check = "stopping" | "database" | "disk" | "jobs";

const RETRY = { retryAfter: 5 };
const REFUSALS: Record<Check, () => Problem> = {
  stopping: () => unavailable("stopping", "Сервер перезапускается.", RETRY),
  database: () => unavailable("database_away", `База данных не ответила за ${READY_MS / 1000} секунды.`, RETRY),
  disk: () => unavailable("disk_full", "На диске сервера почти не осталось места.", RETRY),
  jobs: () => unavailable("jobs_stuck", "Фоновая работа стоит: задания ждут, и ни одно не выполняется.", RETRY),
};

export interface Readiness {
  /** What is wrong, the gravest first; empty: requests may come. */
  failing(): Promise<readonly Check[]>;
  /** From now on the server is not ready, because it is about to end. */
  stop(): void;
}

interface ReadinessDeps {
  config: Pick<Config, "diskFloorBytes" | "jobsStuckMs">;
  db: Database;
  disk: Pick<Disk, "measure">;
}

export function createReadiness({ config, db, disk }: ReadinessDeps): Readiness {
  let stopping = false;
  const areJobsStuck = async () => (await stuckQueues(db, config.jobsStuckMs)).length > 0;
  const isDiskFull = async () => isFull(await disk.measure(), config.diskFloorBytes);
  const look = async (): Promise<Check[]> => {
    const [jobs, full] = await Promise.all([inTime(areJobsStuck()), inTime(isDiskFull())]);
    return [
      ...(jobs === "silent" ? (["database"] as const) : []),
      // A disk that does not answer takes no writes either.
      ...(full !== false ? (["disk"] as const) : []),
      ...(jobs === true ? (["jobs"] as const) : []),
    ];
  };
  // Concurrent checks share one, so that frequent checks put no load on the database.
  let looking: Promise<Check[]> | undefined;
  return {
    async failing() {
      if (stopping) return ["stopping"];
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    stop() {
      stopping = true;
    },
  };
}

/** A failure counts as silence: either way nothing can be said. */
async function inTime<T>(asked: Promise<T>): Promise<T | "silent"> {
  const answered = new AbortController();
  try {
    const late = pause(READY_MS, "silent" as const, { signal: answered.signal });
    return await Promise.race([asked, late]);
  } catch {
    return "silent";
  } finally {
    answered.abort();
  }
}

/** `/healthz`: the process lives. `/readyz`: it may be sent requests; where not, `checks` names what fails and nothing else. */
export function mountReadiness(app: FastifyInstance, readiness: Readiness): void {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    const checks = await readiness.failing();
    const [gravest] = checks;
    if (gravest === undefined) return { status: "ok" };
    const problem = REFUSALS[gravest]();
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .send({ ...toProblemBody(problem, request.id), checks });
  });
}
