import { expect, test } from "vitest";
import { community, out, prepareVkClient, sentTo, server } from "#server/test/channels/vk-client-bench.ts";

prepareVkClient();

test("a send without an answer is asked for again under its random_id, and is unknown only when VK stays silent", async () => {
  server.fates.await("13", { kind: "hang" }, { kind: "reset-after-accept" });
  const hasty = community({ sendMs: 2_000 });
  expect(await hasty.send(out("13", "Да"))).toMatchObject({ ok: true });
  expect(sentTo(13)).toHaveLength(1);
  server.fates.await("14", ...Array(3).fill({ kind: "hang" }));
  expect(await hasty.send(out("14", "Да"))).toMatchObject({ ok: false, kind: "unknown" });
  // A cancelled send does not retry.
  server.fates.await("15", { kind: "hang" });
  const [before, ending] = [server.sends, new AbortController()];
  const sending = community({ sendMs: 60_000 }).send(out("15", "Да"), ending.signal);
  await expect.poll(() => server.sends, { timeout: 20_000 }).toBeGreaterThan(before);
  ending.abort();
  expect(await sending).toMatchObject({ ok: false, kind: "unknown" });
  expect([...sentTo(14), ...sentTo(15)]).toEqual([]);
});
