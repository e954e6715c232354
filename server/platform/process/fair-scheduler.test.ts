import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Asker, FairScheduler, SCHEDULER_LIMITS } from "./fair-scheduler.ts";

const asker = (organizationId: string = randomUUID()): Asker => ({ organizationId, userId: randomUUID() });
const calm = new AbortController().signal;

/** Starts tasks that end on command, and records the order in which they began. */
function tasks(turns: FairScheduler) {
  const begun: { who: Asker; end(): void }[] = [];
  const ask = (who: Asker, signal = calm) =>
    turns.run(who, signal, () => new Promise<void>((resolve) => begun.push({ who, end: resolve })));
  return { begun, ask };
}

test("running requests are limited per user, per organisation and in total", async () => {
  const turns = new FairScheduler({ ...SCHEDULER_LIMITS, all: 5, perOrganization: 3, perUser: 2 });
  const { begun, ask } = tasks(turns);
  const [ann, bob] = [asker(), asker()];
  const colleague = asker(ann.organizationId);
  const asked = [ann, ann, ann, colleague, colleague, bob, bob, bob].map((who) => ask(who));
  await turn();
  expect(begun.map(({ who }) => who)).toEqual([ann, ann, colleague, bob, bob]);
  for (let at = 0; at < asked.length; at++) {
    begun[at]!.end();
    await turn();
    await turn();
  }
  await Promise.all(asked);
  expect(turns.waiting).toBe(0);
});

test("a request behind thirty of another user's is next, not thirty-first", async () => {
  const turns = new FairScheduler({ ...SCHEDULER_LIMITS, all: 2 });
  const { begun, ask } = tasks(turns);
  const [ann, bob] = [asker(), asker()];
  const asked = Array.from({ length: 30 }, () => ask(ann));
  asked.push(ask(bob));
  await turn();
  begun[0]!.end();
  await turn();
  await turn();
  expect(begun[2]!.who).toBe(bob);
  for (let at = 1; at < asked.length; at++) {
    begun[at]!.end();
    await turn();
    await turn();
  }
  await Promise.all(asked);
});

test("requests beyond the queue limit are refused with a message, and an aborted one makes room and is not started", async () => {
  const turns = new FairScheduler({ ...SCHEDULER_LIMITS, perUser: 1, waitingPerUser: 2 });
  const { begun, ask } = tasks(turns);
  const ann = asker();
  const leaving = new AbortController();
  const [first, left, last] = [ask(ann), ask(ann, leaving.signal), ask(ann)];
  await expect(ask(ann)).rejects.toMatchObject({
    status: 429,
    code: "too_many_at_once",
    message: expect.stringMatching(/[а-я]/),
    headers: { "retry-after": "2" },
  });
  leaving.abort();
  await expect(left).rejects.toThrow();
  const another = ask(ann);
  for (let at = 0; at < 3; at++) {
    await turn();
    begun[at]!.end();
    await turn();
  }
  await Promise.all([first, last, another]);
  expect(begun).toHaveLength(3);
});

test("the total queue limit applies even if no user has many waiting requests", async () => {
  const turns = new FairScheduler({ ...SCHEDULER_LIMITS, all: 1, waiting: 2 });
  const { begun, ask } = tasks(turns);
  const asked = [ask(asker()), ask(asker()), ask(asker())];
  await expect(ask(asker())).rejects.toMatchObject({ code: "too_many_at_once" });
  for (let at = 0; at < asked.length; at++) {
    await turn();
    begun[at]!.end();
    await turn();
  }
  await Promise.all(asked);
});
