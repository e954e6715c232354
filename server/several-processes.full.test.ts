/**
 * Three processes on one PostgreSQL, each with its own index and corrections in memory. A change by one applies to another's next reply,
 * and a web process shows the worker's counts.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Health } from "#contract/health.ts";
import { onServer } from "./test/database.ts";
import { TWIN } from "./test/factories/twin-input.ts";
import { type Fleet, startFleet } from "./test/processes/fleet.ts";

const given = inject("databaseSnapshot");
const onPostgres = test.skipIf("path" in given);
/** Milliseconds; guards only against hanging. */
const SETTLED_MS = 90_000;

let fleet: Fleet;
let twinId: string;
let dropDatabase = async () => {};
beforeAll(async () => {
  if ("path" in given) return;
  const name = `several_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(given.url);
  url.pathname = `/${name}`;
  await onServer(given.url, `create database ${name}`);
  dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
  fleet = await startFleet(url.href, ["web", "web", "worker"], {});
  twinId = (await fleet.call("POST", "/api/digital-twins", TWIN)).id;
}, 400_000);
afterAll(async () => {
  await fleet?.close();
  await dropDatabase();
});

async function callAt<T>(at: 0 | 1, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${fleet.members[at]!.url()}${path}`, {
    method,
    headers: { ...fleet.headers(), ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  // The log of the process that responded shows why a call has failed.
  const why = answer.ok ? "" : fleet.members[at]!.printed().slice(-4000);
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}\n${why}`).toBe(true);
  return text === "" ? (undefined as T) : JSON.parse(text);
}

interface Answer {
  response: string;
  messageId: string;
}
const ask = (at: 0 | 1, message: string) => callAt<Answer>(at, "POST", "/api/ai-generate", { twinId, message });

const jobsAreDone = () =>
  expect
    .poll(() => fleet.rows("select 1 from jobs.job where state in ('created', 'retry', 'active') limit 1"), {
      timeout: SETTLED_MS,
      interval: 50,
    })
    .toEqual([]);

const QUESTION = "Сколько стоит доставка?";

onPostgres(
  "a document that was added and removed at one process is known, and is not, to the next reply of another",
  async () => {
    // Both have loaded the present knowledge.
    for (const at of [0, 1] as const) expect((await ask(at, QUESTION)).response).not.toContain("350");
    const upload = {
      digitalTwinId: twinId,
      name: "Доставка",
      type: "faq",
      content: "Доставка стоит 350 рублей и занимает один день по всему городу.",
    };
    const { id } = await callAt<{ id: string }>(0, "POST", "/api/knowledge/upload", upload);
    await jobsAreDone();
    expect((await ask(1, QUESTION)).response).toContain("350");
    await callAt(0, "DELETE", `/api/knowledge/documents/${id}`);
    expect((await ask(1, QUESTION)).response).not.toContain("350");
  },
  3 * SETTLED_MS,
);

onPostgres(
  "a correction that was accepted and taken back at one process holds, and does not, at the next reply of another",
  async () => {
    const { messageId } = await ask(0, QUESTION);
    await ask(1, QUESTION);
    const from = { kind: "message", id: messageId };
    const corrections = `/api/digital-twins/${twinId}/corrections`;
    const correction = "Доставка стоит 490 рублей.";
    // biome-ignore lint/suspicious/noExplicitAny: the contract's checks are other tests' business
    const proposed = await callAt<any>(0, "POST", `${corrections}/proposal`, { from, correction });
    const { suggested: kind, question, text, rules, scopes } = proposed;
    const lesson = { from, kind, question, text, rules, scope: scopes[kind] };
    const { id } = await callAt<{ id: string }>(0, "POST", corrections, lesson);
    expect((await ask(1, QUESTION)).response).toContain("490");
    await callAt(0, "DELETE", `${corrections}/${id}`);
    expect((await ask(1, QUESTION)).response).not.toContain("490");
  },
  3 * SETTLED_MS,
);

onPostgres(
  "a job that fails in the worker is counted on the page of a web, which lists all three",
  async () => {
    await fleet.rows("update users set super_admin = true");
    // The ids are invalid, so no organisation's rows can be opened for it.
    await fleet.rows(
      `insert into jobs.job (name, data) values ('find-facts', '{"organizationId": "nobody", "userId": "nobody", "twinId": "none"}')`,
    );
    const read = () => callAt<Health>(0, "GET", "/api/admin/health");
    const jobsFailed = async () =>
      Number(
        (await read()).facts.find(({ id }) => id === "errors")!.rows.find(({ name }) => name === "Задания")!.value,
      );
    await expect.poll(jobsFailed, { timeout: SETTLED_MS, interval: 1000 }).toBeGreaterThan(0);
    expect((await read()).processes.map(({ role }) => role)).toEqual(["web", "web", "worker"]);
  },
  2 * SETTLED_MS,
);
