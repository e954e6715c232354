/** All callers, and everything that a call may name: the starting point of the attacks on the endpoints. */
import { randomUUID } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { ProblemBody } from "#contract/problem.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import type { EndpointCase } from "./endpoint-case.ts";
import { makeThings } from "./make-things.ts";
import { recordRowChanges } from "./row-changes.ts";
import type { Things } from "./things.ts";

export const keyOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => `${method} ${path}`;
/** Whether the call's address names a row. */
export const namesRow = (key: string): boolean => /\/:\w*id\b/i.test(key);

export interface EndpointBench {
  t: TestApp;
  /** The twins' owner (role user), his organisation's administrator and viewer, and a member of another organisation. */
  owner: TestClient;
  admin: TestClient;
  viewer: TestClient;
  stranger: TestClient;
  own: Things;
  foreign: Things;
  endpointOf(key: string): Endpoint;
  /** The members of the owner's organisation, and the platform's administrator, who may call an endpoint, and those who may not. */
  peopleOf(endpoint: Endpoint): { allowed: TestClient[]; refused: TestClient[] };
  /** A user who may make the call. */
  callerOf(key: string): TestClient;
  /** Whatever `attack` sends, no row is made, changed or removed. */
  unchanged(attack: () => Promise<void>): Promise<void>;
  /** Things of the owner's for a call that uses them up. */
  spareThings(consumed: NonNullable<EndpointCase["consumes"]>): Promise<Things>;
  /** Which rows have changed since the last reading, «INSERT twins». */
  rowChanges(): Promise<string[]>;
}

export async function openEndpointBench(): Promise<EndpointBench> {
  const t = await testApp();
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ role: "user", organizationId });
  const viewer = await t.signUp({ role: "viewer", organizationId });
  const stranger = await t.signUp();
  // The platform's administrator is at home in an organisation of his own.
  const chief = await t.signUp({ superAdmin: true });
  const [own, foreign] = [await makeThings(t, owner), await makeThings(t, stranger)];
  const rowChanges = await recordRowChanges(t.services.db);
  /** Made beside `own`, and what of them has been used up: making things costs more than most attacks. */
  const spares: { things: Things; used: Set<keyof Things> }[] = [];
  const bench: EndpointBench = {
    ...{ t, owner, admin, viewer, stranger, own, foreign, rowChanges },
    endpointOf(key) {
      const found = t.app.endpoints.find((endpoint) => keyOf(endpoint) === key);
      if (found === undefined) throw new Error(`${key} is not mounted`);
      return found;
    },
    peopleOf({ access }) {
      if (access === "super_admin") return { allowed: [chief], refused: [owner, admin, viewer] };
      if (access === "org_admin") return { allowed: [admin], refused: [owner, viewer] };
      if (access === "editor") return { allowed: [owner, admin], refused: [viewer] };
      return { allowed: [owner, admin, viewer], refused: [] };
    },
    callerOf: (key) => bench.peopleOf(bench.endpointOf(key)).allowed[0]!,
    async unchanged(attack) {
      await t.jobsIdle();
      await rowChanges();
      await attack();
      await t.jobsIdle();
      expect(await rowChanges()).toEqual([]);
    },
    async spareThings(consumed) {
      if (consumed === "everything") return makeThings(t, owner);
      let spare = spares.find(({ used }) => consumed.every((thing) => !used.has(thing)));
      if (spare === undefined) {
        spare = { things: await makeThings(t, owner), used: new Set() };
        spares.push(spare);
      }
      for (const thing of consumed) spare.used.add(thing);
      return spare.things;
    },
  };
  return bench;
}

/** The ids of rows that do not exist. */
export const nowhere = (things: Things): Things => ({
  ...(Object.fromEntries(Object.keys(things).map((name) => [name, randomUUID()])) as unknown as Things),
  ...{ messageId: "999999999999999", chatId: "999999999999999", personId: "999999999999999" },
  ...{ pairId: "999999999999999", openReplyId: "999999999999999", proposalId: "999999999999999" },
  ...{ sampleId: "999999999999999", chatFactId: "999999999999999", gapQuestionId: "999999999999999" },
});

export type Answer = Pick<LightMyRequestResponse, "statusCode" | "body" | "headers">;

/** A refusal in our own words: 4xx, a Russian sentence, a code, a request id, nothing of our insides. */
export function expectRefusal(answer: Answer, status: number | readonly number[] | undefined, why: string): void {
  const said = `${why}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
  expect(answer.statusCode, said).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode, said).toBeLessThan(500);
  if (status !== undefined) expect([status].flat(), said).toContain(answer.statusCode);
  expect(String(answer.headers["content-type"]), said).toContain("application/json");
  const body = JSON.parse(answer.body) as ProblemBody;
  expect(Object.keys(body).sort(), said).toEqual(
    body.fields === undefined ? ["code", "message", "requestId"] : ["code", "fields", "message", "requestId"],
  );
  expect(ProblemBody.safeParse(body).success, said).toBe(true);
  expectOwnWords([body.message, ...Object.values(body.fields ?? {})], said);
  expect(ERROR_CODES, said).toContain(body.code);
  expect(body.requestId, said).toMatch(/^[0-9a-f-]{36}$/);
}

/** Sentences that a user reads: Russian, without what a schema or a database would say. */
export function expectOwnWords(sentences: readonly string[], why: string): void {
  for (const sentence of sentences) {
    expect(sentence, why).toMatch(/[А-Яа-яЁё]{3}/);
    expect(sentence, why).not.toMatch(/expected|invalid|select |insert |\bat .+:\d+/i);
  }
}
