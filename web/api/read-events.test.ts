import { expect, test } from "vitest";
import { eventsOf, type StreamEvent } from "./read-events.ts";

const whole = ': ping\nevent: delta\r\ndata: {"text":"да"}\r\n\r\ndata: first\ndata: second\n\nid: 4\n\ndata:bare\n\n';
const expected = [
  { event: "delta", data: '{"text":"да"}' },
  { event: "message", data: "first\nsecond" },
  { event: "message", data: "bare" },
];

function answerOf(pieces: Iterable<Uint8Array>): Response {
  const left = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body);
}

// Split by bytes, so that a two-byte letter may be split too.
test.each([1, 2, 3, 7, 1000])("a stream split into pieces of %i bytes yields the same events", async (size) => {
  const bytes = new TextEncoder().encode(whole);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(answerOf(pieces))) events.push(event);
  expect(events).toEqual(expected);
});

test("an event is complete only after its empty line", async () => {
  const line = new TransformStream<Uint8Array, Uint8Array>();
  const sender = line.writable.getWriter();
  const send = (text: string) => sender.write(new TextEncoder().encode(text));
  const came: StreamEvent[] = [];
  const reading = (async () => {
    for await (const event of eventsOf(new Response(line.readable))) came.push(event);
  })();
  await send("data: half");
  await send("\n");
  await new Promise((resolve) => setTimeout(resolve));
  expect(came).toEqual([]);
  await send("\n");
  await expect.poll(() => came).toEqual([{ event: "message", data: "half" }]);
  await sender.close();
  await reading;
});

test("an event that never ends does not fill the browser's memory", async () => {
  const endless = (function* () {
    for (let at = 0; at < 10; at++) yield new TextEncoder().encode(`data: ${"x".repeat(1_000_000)}\n`);
  })();
  await expect(eventsOf(answerOf(endless)).next()).rejects.toThrow("exceeded max buffer size");
});

test("a reader that stops early cancels the response", async () => {
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: more\n\n")),
    cancel: () => {
      ended = true;
    },
  });
  for await (const { data } of eventsOf(new Response(body))) {
    expect(data).toBe("more");
    break;
  }
  await expect.poll(() => ended).toBe(true);
});
