import { EventSourceParserStream } from "eventsource-parser/stream";

export interface StreamEvent {
  event: string;
  data: string;
}

/** Maximum number of characters of an incomplete event, far more than any answer has. */
const MAX_EVENT_LENGTH = 4_000_000;

/** Yields the events of an event stream (HTML standard, 9.2.6); an event without a name is a `message`. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_LENGTH }))
    .getReader();
  try {
    for (;;) {
      const { done, value } = await events.read();
      if (done) return;
      yield { event: value.event ?? "message", data: value.data };
    }
  } finally {
    await events.cancel().catch(() => {
      // The stream has already failed, and the caller receives that error.
    });
  }
}
