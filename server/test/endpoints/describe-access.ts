/** Who may call each endpoint of some subjects, and what a call by another user reveals and changes. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../test-app.ts";
import { type EndpointBench, expectRefusal, namesRow, nowhere, openEndpointBench } from "./endpoint-bench.ts";
import type { EndpointCase } from "./endpoint-case.ts";
import { mergeCases } from "./endpoint-cases.ts";
import { send } from "./send-case.ts";

/** @param subjects files of `cases/`, in the order of endpoint-cases.ts */
export function describeAccess(subjects: readonly Record<string, EndpointCase>[]): void {
  const cases = Object.entries(mergeCases(subjects)).map(([key, endpointCase]) => ({ key, endpointCase }));
  let bench: EndpointBench;
  beforeAll(async () => {
    bench = await openEndpointBench();
  });
  afterAll(() => bench.t.close());

  describe("who may call", () => {
    // One look at the database for all refusals: whatever was sent, nothing has changed.
    test.each(cases)("$key: nobody else, and nothing changes", async ({ key, endpointCase }) => {
      await bench.unchanged(async () => {
        await refusesAnonymous(bench, key, endpointCase);
        await refusesOtherRoles(bench, key, endpointCase);
        if (namesRow(key)) await hidesForeignRows(bench, key, endpointCase);
        if (endpointCase.references !== undefined) await hidesReferences(bench, key, endpointCase);
      });
    });

    test.each(cases)("$key: exactly the roles that the contract allows", async ({ key, endpointCase }) => {
      const endpoint = bench.endpointOf(key);
      const { allowed } = bench.peopleOf(endpoint);
      const callers = endpointCase.personal || endpointCase.authors ? [bench.owner] : allowed;
      for (const caller of callers) {
        const consumed = endpointCase.consumes;
        const things = consumed && namesRow(key) ? await bench.spareThings(consumed) : bench.own;
        // Signing out and the like must not end the session that the other tests use.
        const { role, organizationId } = caller.caller;
        const client = consumed && !namesRow(key) ? await bench.t.signUp({ role, organizationId }) : caller;
        const answer = await send(client, endpointCase, key, things);
        expect(answer.statusCode, `${role}: ${answer.body}`).toBe(endpointCase.answers ?? endpoint.status);
      }
      await bench.t.jobsIdle();
    });
  });

  test.each(cases.filter(({ key }) => !namesRow(key)))("$key: tells a stranger nothing of ours", async (one) => {
    const { t, own, owner, stranger, foreign } = bench;
    const { organizationId } = stranger.caller;
    const answer = await send(await t.signUp({ organizationId }), one.endpointCase, one.key, foreign);
    // Small numbers stand everywhere.
    const named = Object.entries(own).filter(([name, id]) => !/^\d+$/.test(id) && name !== "planId");
    const ids = named.map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(15);
    for (const id of [...ids, owner.caller.userId, owner.caller.organizationId]) expect(answer.body).not.toContain(id);
  });

  test("owner, organisation and status in a request body are ignored", async () => {
    const { t, own, stranger } = bench;
    const forged = {
      status: "ready",
      ownerId: stranger.caller.userId,
      userId: stranger.caller.userId,
      orgId: stranger.caller.organizationId,
      organizationId: stranger.caller.organizationId,
      role: "org_admin",
      superAdmin: true,
    };
    const feed = () => stranger.get("/api/activity/recent");
    // The stranger's own training still writes to this feed until his jobs have ended.
    await t.jobsIdle();
    const before = await feed();
    for (const { key, endpointCase } of cases) {
      const { body, file, consumes, answers } = endpointCase;
      if (body === undefined || file !== undefined || consumes) continue;
      // A field of the call's own is no forgery.
      const fields = body(own);
      const added = Object.fromEntries(Object.entries(forged).filter(([name]) => !(name in fields)));
      const answer = await send(bench.callerOf(key), endpointCase, key, own, added);
      expect(answer.statusCode, `${key}: ${answer.body}`).toBe(answers ?? bench.endpointOf(key).status);
      expect(answer.body, key).not.toContain(stranger.caller.organizationId);
      expect(answer.body, key).not.toContain('"superAdmin":true');
    }
    expect((await feed()).body).toBe(before.body);
    await t.jobsIdle();
  });
}

async function refusesAnonymous({ t, owner, own, endpointOf }: EndpointBench, key: string, one: EndpointCase) {
  if (endpointOf(key).access === "public") return;
  for (const headers of [
    {},
    { authorization: "Bearer " },
    { authorization: `Bearer ${"x".repeat(43)}` },
    { authorization: `Basic ${owner.token}` },
    { cookie: `session=${owner.token}; __Host-session=${owner.token}` },
  ]) {
    const inject: TestClient["inject"] = (options) =>
      t.anonymous.inject({ ...options, headers: { ...(options.headers as object), ...headers } });
    expectRefusal(await send({ inject }, one, key, own), 401, JSON.stringify(headers));
  }
}

async function refusesOtherRoles(bench: EndpointBench, key: string, one: EndpointCase) {
  const { allowed, refused } = bench.peopleOf(bench.endpointOf(key));
  for (const client of refused)
    expectRefusal(await send(client, one, key, bench.own), 403, `${client.caller.role} may not`);
  if (!one.personal && !one.authors) return;
  const status = one.personal ? 404 : 403;
  for (const colleague of allowed.filter((client) => client !== bench.owner))
    expectRefusal(await send(colleague, one, key, bench.own), status, "a colleague's");
}

async function hidesForeignRows(bench: EndpointBench, key: string, one: EndpointCase) {
  const { stranger, own, endpointOf, callerOf } = bench;
  const platform = endpointOf(key).access === "super_admin";
  expectRefusal(await send(stranger, one, key, own), platform ? 403 : 404, "a stranger");
  expectRefusal(await send(callerOf(key), one, key, nowhere(own)), 404, "no such row");
}

async function hidesReferences({ owner, own, foreign }: EndpointBench, key: string, one: EndpointCase) {
  for (const [field, thing] of Object.entries(one.references!)) {
    expectRefusal(await send(owner, one, key, own, { [field]: foreign[thing] }), 404, field);
    expectRefusal(await send(owner, one, key, own, { [field]: randomUUID() }), 404, field);
  }
}
