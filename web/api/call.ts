import type { Endpoint } from "#contract/endpoint.ts";
import { type Answer, checkAnswer } from "./answer.ts";
import { refreshAfter } from "./refresh.ts";
import { addressOf, bodyOf, type LooseOptions, type OptionsArgument, request } from "./request.ts";

/**
 * Makes one call of the contract and validates its response; reads that the call makes stale are refetched. Throws
 * `ApiError` for an error status, `AnswerMismatch` for an invalid response, `TypeError` without a network.
 */
export async function call<E extends Endpoint>(endpoint: E, ...[options]: OptionsArgument<E>): Promise<Answer<E>> {
  const given = (options ?? {}) as LooseOptions;
  return checkAnswer(endpoint, await bodyOf(await send(endpoint, given)), addressOf(endpoint, given));
}

/**
 * Loads one page of a list. `rows` are the valid ones, `sent` counts all received ones, which tells whether the page was full.
 * Throws like `call`.
 */
export async function readPageOf<E extends Endpoint>(
  endpoint: E,
  given: LooseOptions,
): Promise<{ rows: Answer<E>; sent: number }> {
  const body = await bodyOf(await request(endpoint, given));
  const rows = checkAnswer(endpoint, body, addressOf(endpoint, given));
  return { rows, sent: Array.isArray(body) ? body.length : 0 };
}

/** Makes a call whose response the caller reads itself. Throws `ApiError` for an error status. */
export async function send(endpoint: Endpoint, options: LooseOptions): Promise<Response> {
  const response = await request(endpoint, options);
  // A streamed response is not complete yet: its reader calls `refreshAfter` at the end.
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!streams) refreshAfter(endpoint, options);
  return response;
}
