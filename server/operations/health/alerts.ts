/** Alerts the operator when the server's state gets bad and when it recovers (docs/decisions/014-metrics-alerts-and-traces.md). */
import { setTimeout as pause } from "node:timers/promises";
import type { AlertTest, Health } from "#contract/health.ts";
import type { Config } from "#server/platform/config.ts";
import { type Database, isDatabaseAway } from "#server/platform/db/database.ts";
import type { WriteGuard } from "#server/platform/db-upkeep/write-guard.ts";
import { alertMessage, testMessage } from "./alerts/message.ts";
import {
  type DueAlert,
  isOver,
  isUnknown,
  type KnownProblem,
  markNotified,
  occasionOf,
  type Problem,
  problemsOf,
  remember,
} from "./alerts/problems.ts";
import { alertWaysOf, type SenderDeps, sendAlert } from "./alerts/send-alert.ts";
import { recordSentAlerts, storeCheckResult, storeRemembered } from "./alerts/stored-problems.ts";
import { healthReport, type ReportDeps } from "./report.ts";

export interface AlertDeps extends ReportDeps, SenderDeps {
  config: ReportDeps["config"] & SenderDeps["config"] & Pick<Config, "publicUrl">;
  db: Database;
  writing: Pick<WriteGuard, "note">;
}

interface Alerts {
  /** Checks the server's state and sends the due alerts. It never throws. */
  look(now?: Date): Promise<void>;
}

const LOOK_MS = 60_000;
/** Milliseconds that the shutdown waits for an alert being sent. */
const ENDING_MS = 3000;

export function createAlerts(deps: AlertDeps): Alerts {
  const { db, log } = deps;
  /** Problems known at the last check, for the time while the database is unavailable. */
  let known: KnownProblem[] = [];
  /** Whether an alert was sent that the database has not recorded yet. */
  let unstored = false;

  async function lookInDatabase(health: Health, found: readonly Problem[], now: Date): Promise<void> {
    if (unstored)
      await storeRemembered(
        db,
        known.filter(({ toldAt }) => toldAt !== null),
      );
    unstored = false;
    const looked = await storeCheckResult(db, found, (id) => !isUnknown(id, health), now);
    known = looked.known;
    if (looked.due.length === 0 || !(await tell(health, looked.due))) return;
    noteTold(looked.due, now);
    await recordSentAlerts(db, looked.due, now);
    unstored = false;
  }

  /** The process that first reaches the database again reports the recovery. */
  async function lookInMemory(health: Health, found: readonly Problem[], now: Date): Promise<void> {
    known = remember(known, found, now).filter((problem) => problem.toldAt !== null || !isOver(problem, now));
    const due = known.flatMap((problem) => {
      const occasion = isUnknown(problem.id, health) || isOver(problem, now) ? null : occasionOf(problem, now);
      return occasion === null ? [] : [{ problem, occasion }];
    });
    if (due.length > 0 && (await tell(health, due))) noteTold(due, now);
  }

  function noteTold(due: readonly DueAlert[], now: Date): void {
    for (const { problem, occasion } of due) {
      known = known.filter((each) => each !== problem);
      if (occasion === "fixed") continue;
      known.push(markNotified(problem, now));
    }
    unstored = true;
  }

  /** @returns whether it has reached a recipient */
  async function tell(health: Health, due: readonly DueAlert[]): Promise<boolean> {
    const sent = await sendAlert(deps, alertMessage(due, health, deps.config.publicUrl));
    return sent.some(({ failure }) => failure === null);
  }

  return {
    async look(now = new Date()) {
      try {
        const health = await healthReport(deps);
        const found = problemsOf(health);
        const away = health.facts.some(({ id, state }) => id === "database" && state === "failure");
        if (away) return await lookInMemory(health, found, now);
        await lookInDatabase(health, found, now);
      } catch (error) {
        // The next check finds the database unavailable as well, or without room, and reports it from memory.
        deps.writing.note(error);
        if (isDatabaseAway(error)) log.warn({ err: error }, "alerts could not be stored");
        else log.error({ err: error }, "looking for alerts failed");
      }
    },
  };
}

export function startAlerts(deps: AlertDeps): () => Promise<void> {
  if (alertWaysOf(deps.config.alerts).length === 0) return async () => {};
  const alerts = createAlerts(deps);
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= alerts.look().finally(() => {
      looking = undefined;
    });
  }, LOOK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await Promise.race([looking, pause(ENDING_MS, undefined, { ref: false })]);
  };
}

/** Sends a test alert by every configured way, so that the operator sees which one fails. */
export const testAlerts = (deps: SenderDeps & { config: Pick<Config, "publicUrl"> }): Promise<AlertTest[]> =>
  sendAlert(deps, testMessage(deps.config.publicUrl));
