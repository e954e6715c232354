import { StalledTransaction } from "./connection-guard.ts";

const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "08000",
  "08003",
  "08006",
  "53300",
]);

/** Message of `pg` when `query_timeout` has passed. */
export const QUERY_TIMEOUT_MESSAGE = /^Query read timeout/;
/** SQLSTATE of a prepared statement whose result columns a migration has changed. */
export const CACHED_PLAN_OUTDATED = "0A000";
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** SQLSTATE of a full disk, and what the embedded engine and Node.js say of one. */
const FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);
const FULL_MESSAGE = /No space left on device|Disk quota exceeded/;

/** Whether an error means that a disk is full. */
export const isOutOfSpace = (error: unknown): boolean =>
  causes(error).some(({ code, message }) => (typeof code === "string" && FULL.has(code)) || FULL_MESSAGE.test(message));

/** Whether an error means that the database is unavailable at present, be it because it has no room. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    isOutOfSpace(error) ||
    causes(error).some(
      ({ code, message }) =>
        (typeof code === "string" && AWAY.has(code)) || LOST.test(message) || QUERY_TIMEOUT_MESSAGE.test(message),
    ) ||
    error instanceof StalledTransaction
  );
}

export function sqlState(error: unknown): string | undefined {
  const found = causes(error).find(({ code }) => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code));
  return found?.code as string | undefined;
}

/** SQLSTATEs of rollbacks that another transaction caused: a deleted parent row, a serialization failure or a deadlock. */
const LOST_RACES = new Set(["23503", "40001", "40P01"]);

/** Whether a transaction was rolled back because of another one, so that a retry may succeed. */
export const isLostRace = (error: unknown): boolean => LOST_RACES.has(sqlState(error) ?? "");

/** SQLSTATEs of a lock that was not available in time, and of a deadlock. */
const BUSY = new Set(["55P03", "40P01"]);

/** Whether a statement with a short lock timeout did not get its lock. */
export const isTableBusy = (error: unknown): boolean => BUSY.has(sqlState(error) ?? "");

/** Yields the error and its causes; drizzle keeps the driver's error in `cause`. */
export function causes(error: unknown): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error; current = current.cause) chain.push(current);
  return chain;
}
