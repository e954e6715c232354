import * as z from "zod/mini";
import type { Endpoint, Out } from "#contract/endpoint.ts";
import { AnswerMismatch } from "./api-error.ts";
import { readLeniently } from "./lenient-reading.ts";
import { recordOmittedRows } from "./omitted-rows.ts";

// Compiling validators needs `new Function`, which the content security policy forbids.
z.config({ jitless: true });

export type Answer<E extends Endpoint> = Out<E["output"]>;

/**
 * The answer as the contract types it. Rows of its lists that cannot be read are left out, and whatever screen shows the read says so
 * (omitted-rows.ts); `address` tells reads of one endpoint apart.
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
