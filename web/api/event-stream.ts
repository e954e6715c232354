import type { Endpoint } from "#contract/endpoint.ts";
import { send } from "./call.ts";
import { eventsOf, type StreamEvent } from "./read-events.ts";
import type { LooseOptions } from "./request.ts";

/**
 * Makes a call that responds with an event stream: `for await (const { event, data } of stream(endpoint, { input, signal }))`.
 * Throws `ApiError` when the call is rejected. A broken connection just ends the loop, so the caller checks for the last event.
 */
export async function* stream(endpoint: Endpoint, options: LooseOptions): AsyncGenerator<StreamEvent> {
  const response = await send(endpoint, {
    ...options,
    headers: { ...options.headers, accept: "text/event-stream" },
  });
  yield* eventsOf(response);
}
