import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerErrors } from "#server/platform/http/answer-errors.ts";
import { refuseWhenClosing } from "#server/platform/http/refuse-when-closing.ts";

let app: FastifyInstance;
let url: string;
let answer: PromiseWithResolvers<string>;
let begun: PromiseWithResolvers<void>;
beforeEach(async () => {
  answer = Promise.withResolvers();
  begun = Promise.withResolvers();
  app = Fastify();
  answerErrors(app);
  refuseWhenClosing(app);
  app.get("/reply", () => {
    begun.resolve();
    return answer.promise;
  });
  app.get("/events", { config: { endless: true } }, (_request, reply) => {
    const events = new Readable({ read() {} });
    events.push("the first of many");
    return reply.send(events);
  });
  app.get("/healthz", () => ({ status: "ok" }));
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

const isDrained = (drained: Promise<boolean>) => Promise.race([drained, Promise.resolve("not yet")]);

test("a reply under way is sent to its end, while the open port refuses others with 503 and says that the process lives", async () => {
  const reply = fetch(`${url}/reply`);
  await begun.promise;
  const drained = app.drain(60_000);
  const refused = await fetch(`${url}/reply`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ code: "stopping" });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect([await isDrained(drained), app.cutOff.aborted]).toEqual(["not yet", false]);
  answer.resolve("the whole reply");
  expect(await (await reply).text()).toBe("the whole reply");
  expect(await drained).toBe(true);
});

test("nobody waits for a reply beyond the bound: its maker gets a signal to end", async () => {
  const reply = fetch(`${url}/reply`);
  await begun.promise;
  app.cutOff.addEventListener("abort", () => answer.resolve(String(app.cutOff.reason.code)));
  expect(await app.drain(20)).toBe(false);
  expect(await (await reply).text()).toBe("stopping");
});

test("nobody waits where nothing is under way, nor for a stream that never ends, nor for a client that has left", async () => {
  const events = await fetch(`${url}/events`);
  const gone = new AbortController();
  const reply = fetch(`${url}/reply`, { signal: gone.signal }).catch(() => {});
  await begun.promise;
  const drained = app.drain(60_000);
  gone.abort();
  await reply;
  expect(await drained).toBe(true);
  await events.body!.cancel();
});
