import * as z from "zod/mini";
import type { Endpoint, Out } from "#contract/endpoint.ts";
import { AnswerMismatch } from "./api-error.ts";
import { readLeniently } from "./lenient-reading.ts";
import { recordOmittedRows } from "./omitted-rows.ts";

// Compiling validators needs `new Function`, which the content security policy forbids.
z.config({ jitless: true });

export type Answer<E extends Endpoint> = Out<E["output"]>;

/**
 * Validates and types a response by the contract. Invalid list rows are left out, and the screen that shows the read reports that
 * (omitted-rows.ts); `address` distinguishes reads of one endpoint.
 */
export function checkAnswer<E extends Endpoint>(
  endpoint: E,
  body: unknown,
  address: string = endpoint.path,
): Answer<E> {
  if (!endpoint.output) return undefined as Answer<E>;
  const result = readLeniently(endpoint.output, body);
  if ("issue" in result) {
    const { path, message, code } = result.issue;
    throw new AnswerMismatch(
      `${endpoint.method} ${endpoint.path}`,
      `${path.join(".") || "ответ целиком"}: ${message ?? code}`,
    );
  }
  if (endpoint.method === "GET") recordOmittedRows(address, endpoint.path, result.read.leftOut);
  return result.read.data as Answer<E>;
}
