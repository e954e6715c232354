/** A process is killed while it refreshes the single-use token, on either database engine. */
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

test("killed between the CRM's answer and the database: the used token is refused, and the administrator is asked to sign in again", async () => {
  const { again, state } = await killedWhileRenewing(amo, "after");
  await expect(again()).rejects.toThrow("amoCRM больше не принимает доступ. Подключите заново.");
  expect(await state()).toMatchObject({
    state: "broken",
    reason: "amoCRM больше не принимает доступ. Подключите заново.",
  });
});

test("killed as soon as the new pair is stored: it is used, and the CRM is not asked for another", async () => {
  const { again, state } = await killedWhileRenewing(amo, "ended");
  const asked = amo.grants.length;
  expect((await again())!.expiresAt).toBeGreaterThan(Date.now());
  expect(amo.grants.length).toBe(asked);
  expect((await state()).state).toBe("connected");
});
