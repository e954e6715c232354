import type { Endpoint } from "#contract/endpoint.ts";
import { type LooseOptions, send } from "./api.ts";

export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events from text that arrives in pieces of any size: a line, even its line end, may be split.
 * `push` gives back the events that are whole by now.
 */
export function eventReader() {
  let rest = "";
  let event = "message";
  let data: string[] = [];

  function line(text: string): StreamEvent | undefined {
    if (text === "") {
      const whole = data.length > 0 ? { event, data: data.join("\n") } : undefined;
      event = "message";
      data = [];
      return whole;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    return undefined;
  }

  return {
    push(piece: string): StreamEvent[] {
      rest += piece;
      const events: StreamEvent[] = [];
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(rest);
        if (!end) return events;
        const whole = line(rest.slice(0, end.index));
        rest = rest.slice(end.index + end[0].length);
        if (whole) events.push(whole);
      }
    },
  };
}

/**
 * Makes a call that answers as an event stream: `for await (const { event, data } of stream(endpoint, { input, signal }))`.
 * Throws `ApiError` when the call is refused. When the connection is cut the loop just ends: the caller looks for its last event.
 */
export async function* stream(endpoint: Endpoint, options: LooseOptions): AsyncGenerator<StreamEvent> {
  const response = await send(endpoint, {
    ...options,
    headers: { ...options.headers, accept: "text/event-stream" },
  });
  yield* eventsOf(response);
}

/** The events of an answer that is a stream of them. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const reader = eventReader();
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      yield* reader.push(value);
    }
  } finally {
    await pieces.cancel().catch(() => {
      // The stream has failed already; that error is on its way to the caller.
    });
  }
}
