/**
 * Decides which facts of the report are problems, which server they concern, and when to report them
 * (docs/decisions/014-metrics-alerts-and-traces.md).
 */
import { hostname } from "node:os";
import type { Health, HealthFactId, HealthState } from "#contract/health.ts";

/** Facts about the reporting machine; every other fact holds for all servers on one database. */
const OF_MACHINE: ReadonlySet<HealthFactId> = new Set(["database", "disk"]);
const isShared = (id: HealthFactId): boolean => !OF_MACHINE.has(id);
/** The server name of shared problems. */
export const ALL_SERVERS = "";
export const THIS_SERVER = hostname();

export interface Problem {
  /** The machine's host name, or `ALL_SERVERS`. */
  server: string;
  id: HealthFactId;
  state: Exclude<HealthState, "ok" | "unset">;
}

/** The stored state of a problem, shared by processes with the same database and host name. */
export interface KnownProblem {
  server: string;
  id: HealthFactId;
  since: Date;
  seen: Date;
  /** The same for the time while it was a failure; null: it is only a warning. */
  failureSince: Date | null;
  failureSeen: Date | null;
  /** When it was last reported, and as which state; null: never. */
  toldAt: Date | null;
  toldAs: Problem["state"] | null;
  times: number;
}

export type Occasion = "new" | "again" | "fixed";

export interface DueAlert {
  problem: KnownProblem;
  occasion: Occasion;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Milliseconds that a problem must last before it is reported: a restarting database or a short delay recovers on its own. */
const PATIENCE_MS = { failure: 90_000, attention: 10 * MINUTE_MS };
/**
 * Milliseconds without a report after which a problem is over. Processes see different things, so a healthy one does not end another's
 * problem.
 */
const RESOLVED_AFTER_MS = 5 * MINUTE_MS;
/** A failure is reported again every day; a warning after a day and then every week. */
const againMs = ({ toldAs, times }: KnownProblem): number =>
  toldAs === "failure" || times === 1 ? DAY_MS : 7 * DAY_MS;

export const stateOf = ({ failureSince }: KnownProblem): Problem["state"] =>
  failureSince === null ? "attention" : "failure";

/** Without the database, its contents and the other processes are unknown. */
export const isUnknown = (id: HealthFactId, { facts }: Health): boolean =>
  isShared(id) && facts.some((fact) => fact.id === "database" && fact.state === "failure");

/** Features that were never set up are shown on the page, but cause no alert. */
export function problemsOf(health: Health): Problem[] {
  return health.facts.flatMap(({ id, state, isUnconfigured }) =>
    state === "ok" || state === "unset" || isUnconfigured || isUnknown(id, health)
      ? []
      : [{ server: isShared(id) ? ALL_SERVERS : THIS_SERVER, id, state }],
  );
}

const isSame = (one: Pick<Problem, "server" | "id">, other: Pick<Problem, "server" | "id">): boolean =>
  one.server === other.server && one.id === other.id;

/** Returns the known problems after a check. A problem that ended without a report starts anew. */
export function remember(known: readonly KnownProblem[], found: readonly Problem[], now: Date): KnownProblem[] {
  const kept = known.filter(
    (problem) => problem.toldAt !== null || !isOver(problem, now) || !found.some((each) => isSame(each, problem)),
  );
  const before = kept.map((problem) => {
    const seen = found.find((each) => isSame(each, problem));
    const failing = seen?.state === "failure";
    const over = problem.failureSeen === null || now.getTime() - problem.failureSeen.getTime() > RESOLVED_AFTER_MS;
    return {
      ...problem,
      ...(seen && { seen: now }),
      failureSince: failing ? (problem.failureSince ?? now) : over ? null : problem.failureSince,
      failureSeen: failing ? now : over ? null : problem.failureSeen,
    };
  });
  const begun = found
    .filter((problem) => !kept.some((each) => isSame(each, problem)))
    .map(({ server, id, state }) => {
      const failing = state === "failure" ? now : null;
      return {
        ...{ server, id, since: now, seen: now, failureSince: failing, failureSeen: failing },
        ...{ toldAt: null, toldAs: null, times: 0 },
      };
    });
  return [...before, ...begun];
}

/** Returns what to report about a problem now; null: nothing. */
export function occasionOf(problem: KnownProblem, now: Date): Occasion | null {
  const { since, seen, failureSince, failureSeen, toldAt, toldAs } = problem;
  const lasted = (from: Date | null, to: Date | null) => (from && to ? to.getTime() - from.getTime() : -1);
  if (isOver(problem, now)) return toldAt === null ? null : "fixed";
  const failed = lasted(failureSince, failureSeen) >= PATIENCE_MS.failure;
  if (toldAt === null) return failed || lasted(since, seen) >= PATIENCE_MS.attention ? "new" : null;
  if (failed && toldAs === "attention") return "new";
  return now.getTime() - toldAt.getTime() >= againMs(problem) ? "again" : null;
}

export const isOver = ({ seen }: KnownProblem, now: Date): boolean =>
  now.getTime() - seen.getTime() > RESOLVED_AFTER_MS;

export const markNotified = (problem: KnownProblem, now: Date): KnownProblem => ({
  ...problem,
  ...{ toldAt: now, toldAs: stateOf(problem), times: problem.times + 1 },
});
