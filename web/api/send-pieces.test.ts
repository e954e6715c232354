import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { sendPieces } from "./send-pieces.ts";

/** A server that keeps received pieces; `cut` breaks the connection during a piece. */
function sender(bytes: number, { cut = () => false }: { cut?: (at: number) => boolean } = {}) {
  const told: string[] = [];
  const arrived: number[] = [];
  let offset = 0;
  const leaving = new AbortController();
  const done = sendPieces<number>({
    file: new File([new Uint8Array(bytes)], "chat.json"),
    signal: leaving.signal,
    pieceBytes: 4,
    tries: 2,
    begin: async () => offset,
    append: async (from, piece, onProgress) => {
      if (cut(from)) throw new TypeError("Failed to fetch");
      onProgress(1);
      offset = from + piece.size;
      arrived.push(offset);
      return offset;
    },
    arrived: (at) => (at === bytes && arrived.length > 0 ? null : at),
    onProgress: (share) => told.push(share.toFixed(2)),
    onWaiting: (waiting) => told.push(waiting ? "waits" : "goes on"),
  });
  return { done, told, arrived, leaving };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a broken connection is waited for, and the sending goes on behind what has arrived", async () => {
  let broken = 1;
  const { done, told, arrived } = sender(10, { cut: (at) => at === 4 && broken-- > 0 });
  await vi.runAllTimersAsync();
  await done;
  expect(arrived).toEqual([4, 8, 10]);
  expect(told).toEqual(["0.40", "waits", "goes on", "0.80", "1.00"]);
});

test("the wait ends at once when the connection is back", async () => {
  let broken = 1;
  const { done, told } = sender(4, { cut: () => broken-- > 0 });
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(["waits"]);
  window.dispatchEvent(new Event("online"));
  await done;
  expect(told).toEqual(["waits", "goes on", "1.00"]);
});

test("a user who cancels the upload does not wait for the connection", async () => {
  const { done, told, leaving } = sender(4, { cut: () => true });
  const stopped = expect(done).rejects.toThrow("left");
  await vi.advanceTimersByTimeAsync(1);
  leaving.abort(new Error("left"));
  await stopped;
  expect(told).toEqual(["waits"]);
});

test("tries without a byte of progress come to an end", async () => {
  const { done, told } = sender(4, { cut: () => true });
  const failed = expect(done).rejects.toThrow("Failed to fetch");
  await vi.runAllTimersAsync();
  await failed;
  expect(told).toEqual(["waits", "goes on", "waits", "goes on"]);
});

test("a file that the server will never take is not sent again, and an empty one is sent whole", async () => {
  const refusal = new ApiError(415, "", JSON.stringify({ code: "unknown_format", message: "Не тот файл" }));
  const { done } = sender(4, {
    cut: () => {
      throw refusal;
    },
  });
  await expect(done).rejects.toBe(refusal);
  const empty = sender(0);
  await empty.done;
  expect(empty.told).toEqual(["1.00"]);
});
