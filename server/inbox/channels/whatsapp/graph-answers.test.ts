/** What Meta answers to a check of the key, a send and a request for a file, and how it is said. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MediaUnavailable } from "#server/inbox/channel-protocol/fetch-media.ts";
import { answer, type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { whatsapp } from "./whatsapp.ts";

type Reply = [status: number, body: unknown];

/** By the last part of the path: what is answered. */
let replies: Record<string, Reply>;
let calls: string[];
let meta: Provider;
beforeAll(async () => {
  meta = await startProvider(({ path }, response) => {
    const place = path.split("/").slice(2).join("/");
    calls.push(place);
    const [status, body] = replies[place] ?? [404, { error: { code: 100 } }];
    if (typeof body === "string") response.writeHead(status).end(body);
    else answer(response, status, body);
  });
});
afterAll(() => meta.close());
beforeEach(() => {
  calls = [];
  replies = {};
});

const number = (options: object = {}) =>
  whatsapp({
    ...{ accessToken: "EAA", appSecret: "secret", phoneNumber: null, phoneNumberId: null, graphUrl: meta.root },
    ...options,
  });
const refusal = (status: number, code: number): Reply => [status, { error: { code } }];
const reaching = (accounts: Record<string, string[]>) => {
  const scopes = [
    { scope: "whatsapp_business_messaging", target_ids: Object.keys(accounts) },
    { scope: "whatsapp_business_management" },
    { scope: "pages_show_list", target_ids: ["other"] },
  ];
  replies.debug_token = [200, { data: { is_valid: true, granular_scopes: scopes } }];
  for (const [account, numbers] of Object.entries(accounts)) {
    const data = numbers.map((shown, at) => ({ id: `${account}-${at}`, display_phone_number: shown }));
    replies[`${account}/phone_numbers`] = [200, { data }];
  }
};
const trouble = (options: object = {}) =>
  number(options)
    .verify()
    .catch((error: unknown) => error);

test("the number is the only one, the one that the owner wrote in his way, or that of the account whose id he wrote", async () => {
  reaching({ waba: ["+7 900 111-22-33"] });
  expect(await number().verify()).toEqual({ id: "waba-0", name: "+7 900 111-22-33" });
  reaching({ waba: ["+7 900 111-22-33"], more: ["+7 900 111-22-44", "+7 900 111-22-55"] });
  expect(await number({ phoneNumber: "8 900 111-22-44" }).verify()).toMatchObject({ id: "more-0" });
  expect(await number({ phoneNumber: "more-1" }).verify()).toMatchObject({ id: "more-1" });
  expect(await number({ phoneNumber: "waba" }).verify()).toMatchObject({ id: "waba-0" });
  expect(await trouble()).toMatchObject({ kind: "auth", message: expect.stringContaining("укажите номер") });
  expect(await trouble({ phoneNumber: "+7 900 000-00-00" })).toMatchObject({
    ...{ kind: "auth", message: expect.stringContaining("Этого номера нет") },
  });
  reaching({});
  expect(await trouble()).toMatchObject({ kind: "auth", message: expect.stringContaining("ни к одному номеру") });
});

test.each<[string, Reply, object]>([
  ["an expired key", [200, { data: { is_valid: false } }], { kind: "auth", message: /не принимает ключ/ }],
  ["a refused key", refusal(401, 190), { kind: "auth", message: /не принимает ключ/ }],
  ["a key without the right", refusal(403, 10), { kind: "auth", message: /нет права/ }],
  ["an error of the request", refusal(400, 100), { kind: "auth", message: /не принимает ключ/ }],
  ["a request to wait", refusal(400, 80007), { kind: "away", message: /просит подождать/, afterMs: 60_000 }],
  ["a failure of Meta", [500, {}], { kind: "away", message: /недоступен/, afterMs: null }],
  ["a page in place of an answer", [200, "<html>"], { kind: "away", message: /недоступен/ }],
])("of %s the check says what to do", async (_, reply, { message, ...expected }: { message?: RegExp }) => {
  replies.debug_token = reply;
  const found = await trouble();
  expect(found).toMatchObject(expected);
  expect(String(found)).toMatch(message!);
});

const out = { key: "8b6f2a4e-0000-4000-8000-000000000000", conversation: "79991112233", context: {}, delivered: 0 };
const send = (options: object = { phoneNumberId: "1" }, more: object = {}) =>
  number(options).send({ ...out, text: "Да", lastInboundAt: new Date(), ...more });

test.each<[string, Reply, object]>([
  ["too fast to one person", refusal(400, 131056), { kind: "retry", afterMs: 6_000 }],
  ["too fast", refusal(429, 1), { kind: "retry", afterMs: 5_000 }],
  ["after the day", refusal(400, 131047), { kind: "window_closed" }],
  ["with a blocked account", refusal(400, 368), { kind: "auth", message: expect.stringContaining("заблокировала") }],
  ["to a number without WhatsApp", refusal(400, 131026), { kind: "invalid" }],
  ["that Meta does not take", refusal(400, 999), { kind: "invalid", message: "WhatsApp не принял сообщение" }],
  ["that may have gone before Meta failed", [500, {}], { kind: "unknown" }],
  ["whose answer names no message", [200, { messages: [] }], { kind: "unknown" }],
])("a send %s has the result that decides about another try", async (_, reply, result) => {
  replies["1/messages"] = reply;
  expect(await send()).toMatchObject({ ok: false, externalIds: [], ...result });
});

test("a send whose number is not known yet fails like the check, and after a day nothing is called", async () => {
  replies.debug_token = refusal(401, 190);
  expect(await send({})).toMatchObject({ ok: false, kind: "auth" });
  replies.debug_token = refusal(400, 80007);
  expect(await send({})).toMatchObject({ ok: false, kind: "retry", afterMs: 60_000, away: false });
  replies.debug_token = [500, {}];
  expect(await send({})).toMatchObject({ ok: false, kind: "retry", afterMs: 5_000, away: true });
  calls = [];
  const yesterday = new Date(Date.now() - 25 * 3600_000);
  expect(await send({}, { lastInboundAt: yesterday })).toMatchObject({ kind: "window_closed" });
  expect(calls).toEqual([]);
});

test("a file that Meta has deleted is given up, any other failure is tried again", async () => {
  const limits = { maxBytes: 100, signal: AbortSignal.timeout(5_000) };
  const fetching = () => number().fetchMedia!({ mediaId: "m1" }, limits).catch((error: unknown) => error);
  expect(await fetching()).toBeInstanceOf(MediaUnavailable);
  replies.m1 = refusal(400, 100);
  expect(await fetching()).toBeInstanceOf(MediaUnavailable);
  replies.m1 = refusal(401, 190);
  expect(await fetching()).toMatchObject({ kind: "auth" });
  replies.m1 = [500, {}];
  expect(await fetching()).toMatchObject({ kind: "away" });
});

test("Meta's question about the address is answered only with the right word", () => {
  const { challenge } = number().webhook!;
  const asked = { "hub.mode": "subscribe", "hub.verify_token": "word", "hub.challenge": "42" };
  expect(challenge!(asked, "word")).toBe("42");
  expect(challenge!({ ...asked, "hub.challenge": undefined } as unknown as typeof asked, "word")).toBe("");
  expect(challenge!(asked, "other")).toBeNull();
  expect(challenge!({ ...asked, "hub.mode": "unsubscribe" }, "word")).toBeNull();
});

test("«печатает» is shown for a message that is known, and its failure does no harm", async () => {
  const { typing } = number({ phoneNumberId: "1" });
  await typing!("79991112233", {});
  expect(calls).toEqual([]);
  await typing!("79991112233", { messageId: "wamid.1" });
  expect(calls).toEqual(["1/messages"]);
});
