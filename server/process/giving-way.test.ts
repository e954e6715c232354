import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GivingWay } from "./giving-way.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Pieces in the order in which they began. */
function pieces(way: GivingWay) {
  const begun: { name: string; end(): void }[] = [];
  const ask = async (name: string) => {
    begun.push({ name, end: await way.piece() });
  };
  return { begun, ask, names: () => begun.map(({ name }) => name) };
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};

test("a piece begins at once while nobody is being answered, and any number side by side where nobody is about", async () => {
  const { ask, names } = pieces(new GivingWay());
  await Promise.all([ask("import"), ask("training")]);
  expect(names()).toEqual(["import", "training"]);
});

test("a piece waits until the last of those who are being answered has his answer", async () => {
  const way = new GivingWay();
  const { ask, names } = pieces(way);
  const [ann, bob] = [way.begin({ expensive: true }), way.begin({ expensive: false })];
  void ask("import");
  await pass(20);
  ann();
  await turn();
  expect(names()).toEqual([]);
  bob();
  await turn();
  expect(names()).toEqual(["import"]);
});

test("while people are about one piece runs at a time, in the order in which they were asked for", async () => {
  const way = new GivingWay();
  const { begun, ask, names } = pieces(way);
  const ann = way.begin({ expensive: true });
  for (const name of ["import", "training", "export"]) void ask(name);
  await turn();
  ann();
  await turn();
  expect(names()).toEqual(["import"]);
  begun[0]!.end();
  await turn();
  expect(names()).toEqual(["import", "training"]);
  // Whoever asks again comes behind those who wait.
  void ask("import again");
  begun[1]!.end();
  await turn();
  expect(names().at(-1)).toBe("export");
});

test("where somebody is always being answered, a piece begins after a tenth of a second", async () => {
  const way = new GivingWay();
  const { ask, names } = pieces(way);
  let end = way.begin({ expensive: true });
  const answerTheNext = async (times: number) => {
    for (let at = 0; at < times; at++) {
      await pass(10);
      const next = way.begin({ expensive: true });
      end();
      end = next;
    }
  };
  void ask("import");
  await answerTheNext(9);
  expect(names()).toEqual([]);
  await answerTheNext(2);
  expect(names()).toEqual(["import"]);
});

test("an answer that takes long, from a model or as a stream, holds up background work no longer than a quarter of a second", async () => {
  const way = new GivingWay();
  way.begin({ expensive: true });
  await pass(250);
  const { ask, names } = pieces(way);
  void ask("import");
  await turn();
  expect(names()).toEqual(["import"]);
});

test("people are about for two seconds after an expensive request, and a cheap one does not count", async () => {
  const way = new GivingWay();
  way.begin({ expensive: false })();
  expect(way.peopleAreAbout).toBe(false);
  way.begin({ expensive: true })();
  expect(way.peopleAreAbout).toBe(true);
  await pass(2000);
  expect(way.peopleAreAbout).toBe(false);
});

test("a piece that is ended twice frees one place", async () => {
  const way = new GivingWay();
  const { begun, ask, names } = pieces(way);
  way.begin({ expensive: true })();
  for (const name of ["import", "training", "export"]) void ask(name);
  await turn();
  begun[0]!.end();
  begun[0]!.end();
  await turn();
  expect(names()).toEqual(["import", "training"]);
});
