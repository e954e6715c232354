/** What a failed call says about the database. */
import { StalledTransaction } from "./held-connection.ts";

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

/** What `pg` says when `query_timeout` is over. */
export const UNANSWERED = /^Query read timeout/;
/** A migration has changed what a named statement gives: its connection keeps it until it ends. */
export const OUTDATED_PLAN = "0A000";
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Whether an error says that the database cannot be reached now. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    causes(error).some(
      ({ code, message }) =>
        (typeof code === "string" && AWAY.has(code)) || LOST.test(message) || UNANSWERED.test(message),
    ) || error instanceof StalledTransaction
  );
}

/** SQLSTATE of a failed query, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const found = causes(error).find(({ code }) => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code));
  return found?.code as string | undefined;
}

/** The error and what led to it: drizzle keeps the driver's error in `cause`. */
export function causes(error: unknown): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error; current = current.cause) chain.push(current);
  return chain;
}
