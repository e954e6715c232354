import type { Endpoint } from "#contract/endpoint.ts";
import { type Answer, checkAnswer } from "./answer.ts";
import { refreshAfter } from "./refresh.ts";
import { addressOf, bodyOf, type LooseOptions, type OptionsArgument, request } from "./request.ts";

/**
 * Makes one call of the contract and checks its answer; what the call has changed is read again wherever it is shown.
 * Throws `ApiError` when the answer is not ok, `AnswerMismatch` when its shape is wrong, `TypeError` when there is no network.
 */
export async function call<E extends Endpoint>(endpoint: E, ...[options]: OptionsArgument<E>): Promise<Answer<E>> {
  const given = (options ?? {}) as LooseOptions;
  return checkAnswer(endpoint, await bodyOf(await send(endpoint, given)), addressOf(endpoint, given));
}

/**
 * One page of a list. `rows` are those that can be read, `sent` counts those that came: only that tells whether the page was full.
 * Throws as `call` does.
 */
export async function readPageOf<E extends Endpoint>(
  endpoint: E,
  given: LooseOptions,
): Promise<{ rows: Answer<E>; sent: number }> {
  const body = await bodyOf(await request(endpoint, given));
  const rows = checkAnswer(endpoint, body, addressOf(endpoint, given));
  return { rows, sent: Array.isArray(body) ? body.length : 0 };
}

/** A call whose answer the caller reads himself. Throws `ApiError` when it is not ok. */
export async function send(endpoint: Endpoint, options: LooseOptions): Promise<Response> {
  const response = await request(endpoint, options);
  // A streamed answer is not complete yet: its reader calls `refreshAfter` at the end.
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!streams) refreshAfter(endpoint, options);
  return response;
}
