import { expect, test } from "vitest";
import type { RemoteCheck, RemoteModel } from "#contract/models/remote-model.ts";
import { readConfig } from "#server/platform/config.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { watchedSocket } from "#server/test/servers/watched-socket.ts";
import { testApp } from "#server/test/test-app.ts";

test("with ONLY_LOCAL_MODELS no text leaves the server, neither to an organisation's model nor to the operator's", async () => {
  const watched = await watchedSocket();
  const { baseUrl } = watched;
  const closed = await testApp({
    ...{ onlyLocalModels: true, localModelHosts: [] },
    llm: { baseUrl, apiKey: "k", model: "m", timeoutSeconds: 5 },
    embedding: { baseUrl, apiKey: "k", model: "e", timeoutMs: 200, dailyTokens: 100_000 },
  });
  try {
    const asker = await closed.signUp({ superAdmin: true });
    const made = await makeThings(closed, asker);
    const address = `/api/organizations/${asker.caller.organizationId}/remote-model`;
    const form = { preset: "compatible", baseUrl, model: "m", apiKey: "k", currency: "RUB", enabled: true };
    expect((await asker.put(address, form)).statusCode).toBe(200);
    await closed.jobsIdle();
    expect((await asker.post(`${address}/check`, form)).json<RemoteCheck>().problem).toBe("local-only");
    expect((await asker.get(address)).json<RemoteModel>().held).toBe("installation");
    const reply = await asker.post("/api/ai-generate", { twinId: made.twinId, message: "Сколько стоит доставка?" });
    expect(reply.statusCode, reply.body).toBe(200);
    await asker.get(`/api/digital-twins/${made.twinId}/search?q=доставка`);
    expect(watched.connections()).toBe(0);
  } finally {
    await closed.close();
    watched.server.close();
  }
});

test("ONLY_LOCAL_MODELS and MODEL_CA_FILE are read from the environment", () => {
  const config = readConfig({ NODE_ENV: "test", ONLY_LOCAL_MODELS: "1", MODEL_CA_FILE: "/etc/roots.pem" });
  expect(config).toMatchObject({ onlyLocalModels: true, modelCaFile: "/etc/roots.pem" });
  expect(readConfig({ NODE_ENV: "test" })).toMatchObject({ onlyLocalModels: false, modelCaFile: null });
});
