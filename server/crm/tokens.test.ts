/** A refresh token is valid once: what a process leaves that is killed while it renews the access, on either engine. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { killedWhileRenewing } from "#server/test/processes/killed-renewal.ts";
import { type AmocrmServer, startAmocrmServer } from "#server/test/servers/amocrm-server.ts";

vi.setConfig({ testTimeout: 300_000 });

let amo: AmocrmServer;
beforeAll(async () => {
  amo = await startAmocrmServer();
});
afterAll(() => amo.close());

test("killed before the CRM has heard of it: the stored token is tried again and gives the next pair", async () => {
  const { again, first, state } = await killedWhileRenewing(amo, "before");
  expect((await state()).refreshingSince).not.toBeNull();
  const tokens = await again();
  expect(tokens!.refreshToken).not.toBe(first.refreshToken);
  expect(await state()).toMatchObject({ state: "connected", refreshingSince: null });
});
