/** Hundreds of readers of one stream. */
import { expect, test } from "vitest";
import { faults, listen, live, prepareLive, sockets, t, WAIT } from "#server/test/conversations/live-bench.ts";

prepareLive();

test("two seconds after 500 readers have gone nothing of them is left", async () => {
  const ann = await t.signUp();
  const [connections, streams] = [sockets.size, live.streams];
  const people = await Promise.all(Array.from({ length: 20 }, () => t.signUp()));
  const readers = await Promise.all(
    people.flatMap((one) => Array.from({ length: 25 }, () => listen(one, { reads: false }))),
  );
  await expect.poll(() => live.streams, { timeout: 30_000, interval: 20 }).toBe(streams + 500);
  for (const { socket } of readers) socket.resetAndDestroy();
  await expect.poll(() => live.streams, { timeout: 2000, interval: 20 }).toBe(streams);
  await expect.poll(() => sockets.size, WAIT).toBeLessThanOrEqual(connections);
  const { socket } = await listen(ann);
  socket.destroy();
  // To leave is no failure of the server: nothing is logged as one.
  expect(faults).toEqual([]);
});
