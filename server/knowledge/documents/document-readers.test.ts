import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Problem } from "#server/platform/errors.ts";
import * as hostile from "#server/test/files/hostile-documents.ts";
import {
  BOUND,
  MEGABYTE,
  prepareReaders,
  readersWith,
  rules,
  shared,
} from "#server/test/knowledge/document-readers-bench.ts";

prepareReaders();

const outcomeOf = (reading: Promise<{ text: string }>) =>
  reading.then(
    ({ text }) => text,
    (error: unknown) => {
      expect(error).toBeInstanceOf(Problem);
      return { status: (error as Problem).status, code: (error as Problem).code, message: (error as Problem).message };
    },
  );

/** Returns the peak memory, in bytes, of a child process. */
function peakOfChildren(): number {
  let peak = 0;
  for (const thread of readdirSync("/proc/self/task")) {
    const children = readFileSync(`/proc/self/task/${thread}/children`, "utf8").trim().split(" ");
    for (const pid of children.filter((child) => child !== "")) {
      try {
        const used = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
        peak = Math.max(peak, Number(used?.[1] ?? 0) * 1024);
      } catch {
        // The process has ended meanwhile.
      }
    }
  }
  return peak;
}

const BOMBS = {
  "a page that unpacks to half a gigabyte": hostile.bombInPage,
  "a stream of objects that does": hostile.bombInObjects,
  "a table of contents that does": hostile.bombInTable,
  "a PDF of nested arrays": hostile.deepPdf,
  "a Word document with entities of entities": hostile.entityBomb,
  "a Word document of nested tables": hostile.deepDocx,
  "a Word document that packs a thousand to one": hostile.tightDocx,
  "a page of nested boxes": hostile.deepHtml,
  "a table of one endless row": hostile.endlessRow,
};

test.each(Object.entries(BOMBS))("%s is refused in words, and costs the server nothing", async (_, make) => {
  const bytes = make();
  const before = process.memoryUsage().rss;
  let [peak, childPeak] = [0, 0];
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
    if (process.platform === "linux") childPeak = Math.max(childPeak, peakOfChildren());
  }, 20);
  const outcome = await outcomeOf(shared.read("one", make.name, [bytes]));
  clearInterval(watch);
  expect(outcome).toMatchObject({ status: expect.any(Number), message: expect.stringMatching(/^[А-ЯA-Z].*[а-я»]$/) });
  expect([413, 422]).toContain((outcome as { status: number }).status);
  expect(peak - before).toBeLessThan(50 * MEGABYTE);
  // Memory used between two samples comes on top.
  expect(childPeak).toBeLessThan(BOUND + 128 * MEGABYTE);
});

// Each of these documents has broken its process, and the next one got a new process.
test("after them all the next document is read", async () => {
  expect(await outcomeOf(shared.read("two", "rules.pdf", [rules()]))).toContain("Возврат");
});

test("of a page with a picture of ten thousand megapixels the words are read", async () => {
  expect(await outcomeOf(shared.read("one", "picture.pdf", [hostile.hugePicture()]))).toContain(
    "Delivery takes one day",
  );
});

test("while one organisation's document hangs another's is read; its own next one waits its turn", async () => {
  const readers = readersWith({ memoryBytes: 1024 ** 4, waiting: 1 });
  const ended: string[] = [];
  const given = new AbortController();
  const hanging = readers.read("one", "bomb.pdf", [hostile.bombInPage()], given.signal).catch(() => ended.push("bomb"));
  const behind = outcomeOf(readers.read("one", "rules.pdf", [rules()])).finally(() => ended.push("behind"));
  expect(await outcomeOf(readers.read("one", "rules.pdf", [rules()]))).toMatchObject({
    status: 429,
    code: "documents_waiting",
  });
  expect(await outcomeOf(readers.read("two", "rules.pdf", [rules()]))).toContain("Возврат");
  expect(ended).toEqual([]);
  given.abort();
  await hanging;
  expect(await behind).toContain("Возврат");
  expect(ended).toEqual(["bomb", "behind"]);
});

test("an organisation holds no more of the server's memory than it may; what it has read it holds no longer", async () => {
  const bytes = rules();
  const readers = readersWith({ heldBytes: bytes.length * 1.5 });
  const pulled = { one: 0, two: 0 };
  async function* file(organization: "one" | "two") {
    for (let at = 0; at < bytes.length; at += 500) {
      const piece = bytes.subarray(at, at + 500);
      pulled[organization] += piece.length;
      yield piece;
    }
  }
  const receive = (organization: "one" | "two") =>
    outcomeOf(readers.receive(organization, "rules.pdf", file(organization), () => {}));
  const [first, second, other] = await Promise.all([receive("one"), receive("one"), receive("two")]);
  expect(other).toContain("Возврат");
  // One of the two is refused, and the other uses its room.
  const [read, refused] = typeof first === "string" ? [first, second] : [second, first];
  expect(read).toContain("Возврат");
  expect(refused).toMatchObject({ status: 429, code: "documents_waiting" });
  // A refused file is read to its end, so that its sender receives the response.
  expect(pulled).toEqual({ one: bytes.length * 2, two: bytes.length });
  expect(await receive("one")).toContain("Возврат");
});

test("a process that died while it was kept costs no document", async () => {
  const readers = readersWith();
  await readers.read("one", "rules.pdf", [rules()]);
  process.kill(readers.idlePids[0]!, "SIGKILL");
  expect(await outcomeOf(readers.read("one", "rules.pdf", [rules()]))).toContain("Возврат");
});
test("a reader that cannot load is reported as 503, and retried by the next document", async () => {
  const readers = readersWith({}, new URL("../../test/processes/threads/throws-on-load.ts", import.meta.url));
  for (const _ of [1, 2]) {
    expect(await outcomeOf(readers.read("one", "rules.pdf", [rules()]))).toMatchObject({
      status: 503,
      code: "reader_unavailable",
    });
  }
});

test("a long text is split as a short one is, and giving up ends it", async () => {
  const readers = readersWith();
  const text = Array.from({ length: 600 }, (_, at) => `Абзац номер ${at}. Доставка по городу занимает день.`).join(
    "\n\n",
  );
  const chunks = await readers.split("one", text);
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.at(-1)!.text).toContain("Абзац номер 599");
  await expect(readers.split("one", text, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});
