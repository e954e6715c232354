/** Measures with few messages. */
import { expect, test } from "vitest";
import type { TwinQuality } from "#contract/quality.ts";
import { calm, inTheOwnersHand, prepareFidelity, t, twinWithTalks } from "#server/test/training/fidelity-bench.ts";
import { measureFidelity } from "./measure-fidelity.ts";

prepareFidelity();

test("three contacts and 250 messages give a rough figure with wide bounds", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 3, 28);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  await measureFidelity({ ...t.services, generator: inTheOwnersHand() }, { ...tenant, twinId }, calm);
  const { measure }: TwinQuality = (await client.get(`/api/digital-twins/${twinId}/quality`)).json();
  expect(measure).toMatchObject({ lacking: null, rough: true, people: 3 });
  const { value, low, high } = measure!.figures!;
  expect(high - low).toBeGreaterThan(0.2);
  const listed = (await client.get("/api/digital-twins")).json();
  expect(listed[0].styleAccuracy).toBe(value);
});
