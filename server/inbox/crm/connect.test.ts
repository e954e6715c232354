/** Signing in to a CRM again, at another account, or in vain. */
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { crmConnections } from "#server/platform/db/schema/programs.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import {
  amo,
  answerConversation,
  bitrix,
  cardOf,
  connectTwin,
  deps,
  HOSTS,
  prepareCards,
  setCard,
  sync,
} from "#server/test/crm/cards-bench.ts";
import { BITRIX24_APP } from "#server/test/servers/bitrix24-server.ts";
import { beginCrmSignIn, chooseCrm, completeCrmSignIn, crmOverview } from "./connect.ts";

prepareCards();

const stateOf = ({ url }: { url: string }) => new URL(url).searchParams.get("state")!;
const inAmo = (host = HOSTS.amocrm) => ({
  system: "amocrm" as const,
  host,
  clientId: undefined,
  clientSecret: undefined,
});

test("signing in again mends the connection, keeps its cards, and makes those that had failed", async () => {
  const twin = await connectTwin("amocrm");
  const talk = await answerConversation(twin);
  await setCard(talk, { state: "failed", attempts: 24, error: "amoCRM не отвечает несколько дней" });
  await deps.db
    .update(crmConnections)
    .set({ state: "broken", reason: "amoCRM больше не принимает доступ. Подключите заново." })
    .where(eq(crmConnections.id, twin.connectionId));
  const [before] = (await crmOverview(deps, twin.caller)).connections;
  expect(before).toMatchObject({
    state: "broken",
    cards: { made: 0, waiting: 0, failed: 1 },
    lastFailure: "amoCRM не отвечает несколько дней",
  });
  const state = stateOf(await beginCrmSignIn(deps, twin.caller, inAmo()));
  const again = await completeCrmSignIn(deps, twin.caller, { state, code: amo.allow(), host: HOSTS.amocrm });
  expect(again).toMatchObject({
    ...{ id: twin.connectionId, state: "connected", reason: null, lastFailure: null },
    cards: { made: 0, waiting: 1, failed: 0 },
  });
  await sync(twin);
  expect((await cardOf(talk)).state).toBe("made");
  expect((await crmOverview(deps, twin.caller)).choices).toMatchObject([{ twinId: twin.twinId }]);
});

test("another account of the same CRM replaces the connection and its cards", async () => {
  const twin = await connectTwin("amocrm");
  const talk = await answerConversation(twin);
  const app = twin.tokens.app;
  const state = stateOf(await beginCrmSignIn(deps, twin.caller, { ...inAmo("other.amocrm.ru"), ...app }));
  await completeCrmSignIn(deps, twin.caller, { state, code: amo.allow() });
  expect(await crmOverview(deps, twin.caller)).toMatchObject({
    connections: [{ host: "other.amocrm.ru", cards: { waiting: 0 } }],
    choices: [],
  });
  expect(await cardOf(talk)).toBeUndefined();
});

test("a sign-in says whether the CRM refuses it or is away, and keys that can no longer be read are entered anew", async () => {
  const twin = await connectTwin("bitrix24");
  const bitrixSignIn = { system: "bitrix24" as const, host: HOSTS.bitrix24, ...BITRIX24_APP };
  const started = await beginCrmSignIn(deps, twin.caller, bitrixSignIn);
  expect(new URL(started.url).searchParams.get("redirect_uri")).toBe("http://localhost:3000/crm");
  const end = (state: string, code: string, settings = deps) =>
    completeCrmSignIn(settings, twin.caller, { state, code, host: HOSTS.bitrix24 });
  await expect(end(stateOf(started), "used")).rejects.toMatchObject({ code: "credentials_refused", status: 422 });
  const crmUrls = { ...deps.config.crmUrls, bitrix24: "http://127.0.0.1:9" };
  const away = { ...deps, config: { ...deps.config, crmUrls } };
  const next = stateOf(await beginCrmSignIn(deps, twin.caller, bitrixSignIn));
  await expect(end(next, bitrix.allow(), away)).rejects.toMatchObject({
    ...{ code: "crm_away", status: 502 },
    message: "Битрикс24 не отвечает. Начните вход заново.",
  });
  // The master key was replaced without the former one.
  const vault = createVault({ current: 1, keys: new Map([[1, randomBytes(32)]]) });
  const unread = beginCrmSignIn({ ...deps, vault }, twin.caller, { ...bitrixSignIn, clientId: undefined });
  await expect(unread).rejects.toMatchObject({ code: "crm_app_missing" });
});

test("a twin whose conversations no longer go to a CRM loses its waiting cards, not those that were made", async () => {
  const twin = await connectTwin("amocrm");
  const made = await answerConversation(twin);
  await sync(twin);
  const waiting = await answerConversation(twin);
  expect(await chooseCrm(deps, twin.caller, twin.twinId, { includeTexts: true })).toEqual({ includeTexts: false });
  expect((await cardOf(made)).state).toBe("made");
  expect(await cardOf(waiting)).toBeUndefined();
  expect((await crmOverview(deps, twin.caller)).choices).toEqual([]);
});
