import type { FastifyInstance } from "fastify";
import type { Log } from "#server/platform/log.ts";

type AfterResponse = (what: string, work: () => Promise<void>) => void;

const CLOSE_WAIT_MS = 3000;

/**
 * Runs work after the response is sent: its duration would reveal whether an account exists, and a slow mail server would delay the
 * response. Failures are logged; closing the app waits a few seconds for unfinished work.
 */
export function afterResponses(app: FastifyInstance, log: Log): AfterResponse {
  const open = new Set<Promise<void>>();
  app.addHook("onClose", async () => {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_WAIT_MS);
    });
    await Promise.race([Promise.all(open), patience]);
    clearTimeout(timer);
  });
  return (what, work) => {
    const run = work()
      .catch((error: unknown) => log.error({ err: error }, `${what} failed`))
      .finally(() => open.delete(run));
    open.add(run);
  };
}
