/** Has an organisation's recordings or pictures read by a service of this machine. */
import { expect } from "vitest";
import type { MediaKind } from "#contract/media-kinds.ts";
import { KEY, type RecognitionServer } from "./servers/recognition-server.ts";
import type { TestApp, TestClient } from "./test-app.ts";

/** Set by the operator, because the service is on this machine. */
export async function readBy(
  { t, service }: { t: TestApp; service: RecognitionServer },
  { caller: { organizationId } }: TestClient,
  kind: MediaKind,
  more: object = {},
): Promise<void> {
  const operator = await t.signUp({ superAdmin: true, organizationId });
  const form = {
    ...{ mode: "endpoint", preset: "openai", baseUrl: service.baseUrl, model: "m", apiKey: KEY },
    ...{ longestSeconds: 60, dailyLimit: 30, ...more },
  };
  const set = await operator.put(`/api/organizations/${organizationId}/media-readers/${kind}`, form);
  expect(set.statusCode, set.body).toBe(200);
}
