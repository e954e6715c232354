import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundThrottle } from "./background-throttle.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function pieces(way: BackgroundThrottle) {
  const begun: { name: string; end(): void }[] = [];
  const ask = async (name: string) => {
    begun.push({ name, ...(await way.beginPiece()) });
  };
  return { begun, ask, names: () => begun.map(({ name }) => name) };
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};

test("a piece begins at once while no request is being answered, and any number run side by side while the foreground is idle", async () => {
  const { ask, names } = pieces(new BackgroundThrottle());
  await Promise.all([ask("import"), ask("training")]);
  expect(names()).toEqual(["import", "training"]);
});

test("a piece waits until the last of those who are being answered has his answer", async () => {
  const way = new BackgroundThrottle();
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
  const way = new BackgroundThrottle();
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
  // A piece that asks again queues behind those already waiting.
  void ask("import again");
  begun[1]!.end();
  await turn();
  expect(names().at(-1)).toBe("export");
});

test("on a server that is always answering, a piece begins after a tenth of a second", async () => {
  const way = new BackgroundThrottle();
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

test.for([6, 2, 30])(
  "on a server that is always answering, background work in pieces of %i ms gets a quarter of the time and no more",
  async (takes) => {
    const way = new BackgroundThrottle();
    let end = way.begin({ expensive: true });
    let worked = 0;
    const work = async () => {
      for (;;) {
        const piece = await way.beginPiece();
        // The wait for a connection is not work.
        await new Promise<void>((done) => setTimeout(done, 5));
        piece.started();
        await new Promise<void>((done) => setTimeout(done, takes));
        worked += takes;
        piece.end();
      }
    };
    void work();
    void work();
    for (let at = 0; at < 1000; at++) {
      await vi.advanceTimersByTimeAsync(10);
      const next = way.begin({ expensive: true });
      end();
      end = next;
    }
    expect(worked / 10_000).toBeGreaterThan(0.24);
    expect(worked / 10_000).toBeLessThan(0.26);
  },
);

test("an answer that takes long, from a model or as a stream, holds up background work no longer than a quarter of a second", async () => {
  const way = new BackgroundThrottle();
  way.begin({ expensive: true });
  await pass(250);
  const { ask, names } = pieces(way);
  void ask("import");
  await turn();
  expect(names()).toEqual(["import"]);
});

test("people are about for two seconds after an expensive request, and a cheap one does not count", async () => {
  const way = new BackgroundThrottle();
  way.begin({ expensive: false })();
  expect(way.isForegroundActive).toBe(false);
  way.begin({ expensive: true })();
  expect(way.isForegroundActive).toBe(true);
  await pass(2000);
  expect(way.isForegroundActive).toBe(false);
});

test("a piece that is ended twice frees one place", async () => {
  const way = new BackgroundThrottle();
  const { begun, ask, names } = pieces(way);
  way.begin({ expensive: true })();
  for (const name of ["import", "training", "export"]) void ask(name);
  await turn();
  begun[0]!.end();
  begun[0]!.end();
  await turn();
  expect(names()).toEqual(["import", "training"]);
});

test("while people are about background work rests three times as long as its piece has taken, half a second at most", async () => {
  const way = new BackgroundThrottle();
  const { begun, ask, names } = pieces(way);
  const somebody = () => way.begin({ expensive: true })();
  for (const [name, takes, rests] of [
    ["import", 10, 30],
    ["training", 400, 500],
  ] as const) {
    somebody();
    await ask(name);
    await pass(takes);
    begun.at(-1)!.end();
    somebody();
    void ask(`after the ${name}`);
    await pass(rests - 1);
    expect(names().at(-1)).toBe(name);
    await pass(1);
    expect(names().at(-1)).toBe(`after the ${name}`);
    begun.at(-1)!.end();
  }
});

test("after a rest pieces that have waited for it begin one at a time all the same", async () => {
  const way = new BackgroundThrottle();
  const { begun, ask, names } = pieces(way);
  way.begin({ expensive: true })();
  await ask("import");
  await pass(100);
  begun[0]!.end();
  for (const name of ["training", "export"]) void ask(name);
  await pass(300);
  expect(names()).toEqual(["import", "training"]);
});

test("while the foreground is idle, background work does not rest", async () => {
  const { begun, ask, names } = pieces(new BackgroundThrottle());
  await ask("import");
  await pass(100);
  begun[0]!.end();
  void ask("import");
  await turn();
  expect(names()).toEqual(["import", "import"]);
});

test("people at another process are people: pieces rest, but no piece waits for an answer that is not given here", async () => {
  const way = new BackgroundThrottle();
  way.noteForegroundElsewhere();
  expect(way.isForegroundActive).toBe(true);
  const { begun, ask, names } = pieces(way);
  await ask("import");
  await pass(10);
  begun[0]!.end();
  void ask("training");
  await pass(29);
  expect(names()).toEqual(["import"]);
  await pass(1);
  expect(names()).toEqual(["import", "training"]);
});

test("the computing after a piece is paid for like a piece, and no further than to the next wait", async () => {
  const way = new BackgroundThrottle();
  const { ask, names } = pieces(way);
  way.begin({ expensive: true })();
  await way.turn();
  // What the continuation computes, on this thread.
  vi.advanceTimersByTime(40);
  void ask("import");
  await pass(119);
  expect(names()).toEqual([]);
  await pass(1);
  expect(names()).toEqual(["import"]);
});

test("computing that is a piece begins in a gap between answers and is followed by a rest", async () => {
  const way = new BackgroundThrottle();
  const { ask, names } = pieces(way);
  const answered = way.begin({ expensive: true });
  let computed = 0;
  const work = way.compute(() => {
    vi.advanceTimersByTime(20);
    return ++computed;
  });
  await turn();
  expect(computed).toBe(0);
  answered();
  expect(await work).toBe(1);
  void ask("import");
  await pass(59);
  expect(names()).toEqual([]);
  await pass(1);
  expect(names()).toEqual(["import"]);
});
