import { randomBytes, randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { createTwin } from "#server/accounts/twins/twins.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { type KeyedAnswer, type RunIdempotently, runIdempotently } from "./idempotency.ts";
import { STORE_LIMITS } from "./idempotency-limits.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const create = (client: TestClient, key: string, payload: object = TWIN) =>
  client.inject({ method: "POST", url: "/api/digital-twins", headers: { "idempotency-key": key }, payload });
const twinsOf = async (client: TestClient) => (await client.get("/api/digital-twins")).json();

test("a repeated request is executed once and gets the first response", async () => {
  const ann = await t.signUp();
  const key = randomUUID();
  const first = await create(ann, key);
  const again = await create(ann, key);
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(again.json()).toEqual(first.json());
  expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
  expect(await twinsOf(ann)).toHaveLength(1);
});

test("of many simultaneous requests one is executed, and the others get its response or learn that it is still running", async () => {
  const ann = await t.signUp();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(ann, key)));
  for (const answer of answers) expect([201, 409]).toContain(answer.statusCode);
  expect(answers.filter((answer) => answer.statusCode === 201 && !answer.headers["idempotent-replayed"])).toHaveLength(
    1,
  );
  for (const answer of answers.filter(({ statusCode }) => statusCode === 409)) {
    expect(answer.json().code).toBe("idempotency_running");
    expect(answer.headers["retry-after"]).toBe("1");
  }
  expect(await twinsOf(ann)).toHaveLength(1);
});

test("the same key with another body or for another call is refused", async () => {
  const ann = await t.signUp();
  const key = randomUUID();
  await create(ann, key);
  const other = await create(ann, key, { ...TWIN, name: "Другая" });
  expect([other.statusCode, other.json().code]).toEqual([422, "idempotency_mismatch"]);
  const elsewhere = await ann.inject({
    method: "POST",
    url: "/api/knowledge/upload",
    headers: { "idempotency-key": key },
    payload: TWIN,
  });
  expect(elsewhere.statusCode).toBe(422);
  expect(await twinsOf(ann)).toHaveLength(1);
});

test("a refused request frees its key, so that it can be corrected", async () => {
  const ann = await t.signUp();
  const key = randomUUID();
  expect((await create(ann, key, { ...TWIN, name: "" })).statusCode).toBe(400);
  expect((await create(ann, key)).statusCode).toBe(201);
});

test("a request that failed can be sent again with the same key", async () => {
  const ann = await t.signUp();
  const twinId = (await create(ann, randomUUID())).json().id;
  const document = {
    digitalTwinId: twinId,
    name: "Доставка",
    type: "faq",
    content: "Доставка стоит 350 рублей. ".repeat(3),
  };
  const { id } = (await ann.post("/api/knowledge/upload", document)).json();
  const headers = { "idempotency-key": randomUUID() };
  const upload = () => ann.inject({ method: "POST", url: "/api/knowledge/upload", headers, payload: document });
  expect((await upload()).statusCode).toBe(409);
  await ann.delete(`/api/knowledge/documents/${id}`);
  expect((await upload()).statusCode).toBe(201);
  expect((await upload()).headers["idempotent-replayed"]).toBe("true");
});

test("equal keys of different users do not conflict", async () => {
  const ann = await t.signUp();
  const { organizationId } = ann.caller;
  const colleague = await t.signUp({ organizationId });
  const stranger = await t.signUp();
  const key = randomUUID();
  const ids = [];
  for (const client of [ann, colleague, stranger]) ids.push((await create(client, key)).json().id);
  expect(new Set(ids).size).toBe(3);
});

test("a key of a killed process is released after a while, and a stored response is deleted after a day", async () => {
  const ann = await t.signUp();
  const [dead, old] = [randomUUID(), randomUUID()];
  await create(ann, old);
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.execute(sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${old}`),
  );
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.execute(sql`insert into idempotency_keys (org_id, user_id, key, request_hash, created_at)
      values (${ann.caller.organizationId}, ${ann.caller.userId}, ${dead}, '…', now() - interval '3 minutes')`),
  );
  expect((await create(ann, dead)).statusCode).toBe(201);
  expect((await create(ann, old)).headers["idempotent-replayed"]).toBeUndefined();
  expect(await twinsOf(ann)).toHaveLength(3);
});

test("a request that runs for long keeps its key", async () => {
  const ann = await t.signUp();
  const request = { key: randomUUID(), method: "POST", url: "/api/digital-twins", body: TWIN };
  const once = runIdempotently(t.services.db);
  const change = async (query: SQL) =>
    (await asTenant(t.services.db, ann.caller, (tx) => tx.execute(query))).rows.length;
  const work = Promise.withResolvers<KeyedAnswer>();
  const first = runIdempotently(t.services.db, { aliveMs: 20 })(ann.caller, request, () => work.promise);
  const began = sql`update idempotency_keys set created_at = now() - interval '3 minutes' where key = ${request.key} returning 1`;
  const alive = sql`select from idempotency_keys where key = ${request.key} and created_at > now() - interval '1 minute'`;
  await expect.poll(() => change(began), { timeout: 20_000 }).toBe(1);
  await expect.poll(() => change(alive), { timeout: 20_000 }).toBe(1);
  await expect(once(ann.caller, request, () => work.promise)).rejects.toMatchObject({ code: "idempotency_running" });
  work.resolve({ status: 201, body: { id: 1 } });
  expect((await first).replayed).toBe(false);
  expect(await once(ann.caller, request, () => work.promise)).toEqual({ answer: await work.promise, replayed: true });
});

/** Imitates a process that is killed after `work` in a request. @returns the outcome of a retry */
async function repeatedAfterDeath(ann: TestClient, work: () => Promise<unknown>) {
  const request = { key: randomUUID(), method: "POST", url: "/api/digital-twins", body: TWIN };
  const once = runIdempotently(t.services.db);
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const never = new Promise<KeyedAnswer>(() => {});
  void once(ann.caller, request, async () => {
    await work();
    resolve();
    return never;
  });
  await reached;
  const repeat = () => once(ann.caller, request, async () => ({ status: 201, body: "executed again" }));
  await expect(repeat()).rejects.toMatchObject({ code: "idempotency_running" });
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.execute(sql`update idempotency_keys set created_at = now() - interval '3 minutes' where key = ${request.key}`),
  );
  return repeat();
}

test("a request whose process died after its commit is not executed again: its repetition is told that the response is lost", async () => {
  const ann = await t.signUp();
  const repeated = repeatedAfterDeath(ann, () => createTwin(t.services.db, ann.caller, TWIN));
  await expect(repeated).rejects.toMatchObject({ status: 409, code: "idempotency_response_lost" });
  expect(await twinsOf(ann)).toHaveLength(1);
});

test("a request whose process died before it changed anything is executed by its repetition", async () => {
  const ann = await t.signUp();
  const read = () => asTenant(t.services.db, ann.caller, (tx) => tx.execute(sql`select count(*) from twins`));
  expect(await repeatedAfterDeath(ann, read)).toMatchObject({ answer: { body: "executed again" }, replayed: false });
});

test("a request that has stalled until a repetition acquired its key does not commit, and leaves the repetition its key", async () => {
  const ann = await t.signUp();
  const request = { key: randomUUID(), method: "POST", url: "/api/digital-twins", body: TWIN };
  const once = runIdempotently(t.services.db);
  function begin(run: RunIdempotently) {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = run(ann.caller, request, async () => {
      reached.resolve();
      await goOn.promise;
      return { status: 201, body: { id: (await createTwin(t.services.db, ann.caller, TWIN)).id } };
    });
    return { reached: reached.promise, goOn: goOn.resolve, ended };
  }
  const stalled = begin(runIdempotently(t.services.db, { aliveMs: 3_600_000 }));
  await stalled.reached;
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx.execute(sql`update idempotency_keys set created_at = now() - interval '3 minutes' where key = ${request.key}`),
  );
  const repeated = begin(once);
  await repeated.reached;
  stalled.goOn();
  await expect(stalled.ended).rejects.toMatchObject({ status: 409, code: "idempotency_running" });
  expect(await twinsOf(ann)).toEqual([]);
  const never = async (): Promise<KeyedAnswer> => expect.unreachable();
  await expect(once(ann.caller, request, never)).rejects.toMatchObject({ code: "idempotency_running" });
  repeated.goOn();
  const { answer } = await repeated.ended;
  expect(await twinsOf(ann)).toMatchObject([answer!.body]);
  expect(await once(ann.caller, request, never)).toEqual({ answer, replayed: true });
});

test("a request that deletes what it names, and its own key with it, commits", async () => {
  const ann = await t.signUp();
  const { id } = (await create(ann, randomUUID())).json();
  const request = { key: randomUUID(), method: "POST", url: `/api/digital-twins/${id}/end`, body: null };
  const keys = () =>
    asTenant(t.services.db, ann.caller, (tx) =>
      tx.execute(sql`select from idempotency_keys where key = ${request.key}`),
    );
  await runIdempotently(t.services.db)(ann.caller, request, async () => {
    expect((await keys()).rows).toHaveLength(1);
    await asTenant(t.services.db, ann.caller, async (tx) => {
      await tx.execute(sql`delete from twins where id = ${id}`);
      await forgetAnswersAbout(tx, [id]);
    });
    return { status: 204, body: undefined };
  });
  expect(await twinsOf(ann)).toEqual([]);
  expect((await keys()).rows).toEqual([]);
});

/** Sends requests of a user against a store with small limits. */
function smallStore(ann: TestClient, limits: Partial<typeof STORE_LIMITS>) {
  const once = runIdempotently(t.services.db, { limits: { ...STORE_LIMITS, ...limits } });
  let executed = 0;
  const send = (key: string, answer: unknown, request: unknown = null) =>
    once(ann.caller, { key, method: "POST", url: "/api/things", body: request }, async () => {
      executed++;
      return { status: 200, body: answer };
    });
  const bytes = async () => {
    const { rows } = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.execute(sql`select coalesce(sum(octet_length(body::text) + octet_length(mentions::text)), 0)::int as bytes
        from idempotency_keys where user_id = ${ann.caller.userId}`),
    );
    return (rows[0] as { bytes: number }).bytes;
  };
  return { send, bytes, executed: () => executed };
}
const lost = { status: 409, code: "idempotency_response_lost" };
const words = (bytes: number) => randomBytes(bytes / 2).toString("hex");

test("a long response is not stored: its repetition is not executed, but told that the response is lost", async () => {
  const store = smallStore(await t.signUp(), {});
  const { answer } = await store.send("long", words(STORE_LIMITS.answerBytes));
  expect(String(answer!.body)).toHaveLength(STORE_LIMITS.answerBytes);
  await expect(store.send("long", "")).rejects.toMatchObject(lost);
  expect(store.executed()).toBe(1);
  // Ids of a request are stored so that it is deleted with what they name; many ids fill the store too.
  const many = Array.from({ length: 3 * STORE_LIMITS.ids }, () => randomUUID());
  await store.send("many-ids", "", many);
  await expect(store.send("many-ids", "", many)).rejects.toMatchObject(lost);
  expect(store.executed()).toBe(2);
  expect(await store.bytes()).toBeLessThan(50 * STORE_LIMITS.ids);
  const short = words(STORE_LIMITS.answerBytes - 10);
  await store.send("short", short);
  expect(await store.send("short", "")).toMatchObject({ answer: { body: short }, replayed: true });
});

test("an organisation stores only so much, and a user only so many keys a day", async () => {
  const store = smallStore(await t.signUp(), { organizationBytes: 100_000 });
  for (let at = 0; at < 5; at++) await store.send(`answer-${at}`, words(40_000));
  expect(await store.bytes()).toBeLessThan(100_000);
  expect(await store.send("answer-0", "")).toMatchObject({ replayed: true });
  await expect(store.send("answer-4", "")).rejects.toMatchObject(lost);

  const few = smallStore(await t.signUp(), { keysOfUser: 3 });
  for (let at = 0; at < 3; at++) await few.send(`key-${at}`, at);
  await expect(few.send("key-3", 3)).rejects.toMatchObject({ status: 429, code: "too_many_requests" });
  expect(await few.send("key-0", 9)).toMatchObject({ answer: { body: 0 }, replayed: true });
  expect(few.executed()).toBe(3);
});

test("an invalid key is refused, and methods other than POST ignore keys", async () => {
  const ann = await t.signUp();
  expect((await create(ann, "к л ю ч")).json().code).toBe("invalid_idempotency_key");
  expect((await create(ann, "x".repeat(256))).statusCode).toBe(400);
  const { id } = (await create(ann, randomUUID())).json();
  const put = (name: string) =>
    ann.inject({
      method: "PUT",
      url: `/api/digital-twins/${id}`,
      headers: { "idempotency-key": "a" },
      payload: { name },
    });
  await put("Первое");
  expect((await put("Второе")).json().name).toBe("Второе");
});
