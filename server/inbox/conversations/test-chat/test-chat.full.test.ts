import { describe, expect, test } from "vitest";
import {
  ask,
  eventsOf,
  model,
  nothing,
  prepareModel,
  prepareTestChat,
  stored,
  stream,
  t,
  twinOf,
} from "#server/test/conversations/test-chat-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import type { ModelBehaviour } from "#server/test/servers/openai-server.ts";

prepareTestChat();

describe("a model behind the twin", () => {
  prepareModel();

  const failures: [string, ModelBehaviour, string][] = [
    ["fails", { kind: "error", status: 500 }, "model_failed"],
    ["is busy", { kind: "rate-limited" }, "model_busy"],
    ["breaks off", { kind: "cut", after: 2 }, "model_cut"],
    ["says nothing in time", { kind: "hang" }, "model_timeout"],
    ["falls silent", { kind: "stall", after: 2 }, "model_timeout"],
  ];
  test.each(failures)("that %s is an error for the reader and leaves nothing stored", async (_, behaviour, code) => {
    const ann = await t.signUp();
    const twinId = await twinOf(ann);
    model.script(behaviour, behaviour);
    const answer = await ask(ann, twinId, "Сколько стоит доставка по Москве?");
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ code, message: expect.stringMatching(/[а-я]/i) });
    const events = eventsOf((await stream(ann, twinId, "Сколько стоит доставка по Москве?")).body);
    expect(events.at(-1)).toMatchObject({ name: "error", data: { code, requestId: expect.any(String) } });
    expect(events.some(({ name }) => name === "done")).toBe(false);
    expect(await stored(ann, twinId)).toEqual(nothing);
  });

  test("gives no answer when its twin is deleted meanwhile", async () => {
    const ann = await t.signUp();
    for (let round = 0; round < 20; round++) {
      const twinId = await buildTwin(ann);
      const deleted = Promise.withResolvers<void>();
      model.script({ kind: "ok", heldUntil: deleted.promise });
      const asked = model.requests.length;
      const answer = ask(ann, twinId, "Расскажите о доставке подробнее, пожалуйста?");
      await expect.poll(() => model.requests.length, { interval: 5, timeout: 5000 }).toBe(asked + 1);
      expect((await ann.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
      deleted.resolve();
      expect((await answer).statusCode).toBe(404);
      expect(await stored(ann, twinId)).toMatchObject({ talks: [], messages: [], answers: [], counted: 0 });
    }
  });
});
