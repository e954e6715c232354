import { expect, test } from "vitest";
import { aboutOf, CATALOGUE, canExtractFacts } from "./catalogue.ts";
import { type Room, recommend } from "./recommend.ts";

const GB = 1024 ** 3;
const machine = (memory: number, cores: number, disk = 500): Room => ({
  memoryBytes: memory * GB,
  cores,
  diskBytes: disk * GB,
});
const recommended = (room: Room) =>
  [...recommend(CATALOGUE, room)].flatMap(([id, verdict]) => (verdict === "recommended" ? [id] : []));

test.each([
  ["a very small server", machine(1, 1), []],
  ["two gigabytes and one core", machine(2, 1), ["qwen3-0.6b"]],
  [
    "an old laptop, to which small weights are enough to search by meaning",
    machine(4, 2),
    ["qvikhr-3-1.7b", "multilingual-e5-small", "gigaam-v3-ctc"],
  ],
  ["a laptop", machine(8, 4), ["qvikhr-3-1.7b", "bge-m3", "bge-reranker-v2-m3", "gigaam-v3-ctc"]],
  ["a laptop with more cores", machine(8, 6), ["qwen3-4b", "bge-m3", "bge-reranker-v2-m3", "gigaam-v3-ctc"]],
  ["a workstation", machine(32, 8), ["gigachat-3.1-10b-a1.8b", "bge-m3", "bge-reranker-v2-m3", "gigaam-v3-ctc"]],
  ["much memory and little disk", machine(32, 8, 1), ["qwen3-0.6b", "bge-m3", "bge-reranker-v2-m3", "gigaam-v3-ctc"]],
])("%s is recommended what it can run", (_, room, ids) => {
  expect(recommended(room)).toEqual(ids);
});

test("what a machine lacks is named in order: memory, disk, speed", () => {
  const verdicts = recommend(CATALOGUE, machine(4, 2, 1));
  expect(verdicts.get("t-lite-it-2.1")).toBe("no-memory");
  expect(verdicts.get("qvikhr-3-1.7b")).toBe("no-disk");
  expect(recommend(CATALOGUE, machine(64, 2)).get("t-lite-it-2.1")).toBe("slow");
});

test("of each small chat model the catalogue says in one plain sentence what it is not believed in, of no other", () => {
  const said = "Модель небольшая: факты за неё находит поиск по документам";
  for (const model of CATALOGUE)
    expect(aboutOf(model).endsWith(`. ${said}`), model.name).toBe(model.kind === "chat" && model.parameters < 3);
});

test("a model is said to read documents where its answers may be sent automatically, which is from 3 billion parameters on", () => {
  expect(CATALOGUE.filter(canExtractFacts).map(({ id }) => id)).toEqual([
    "qwen3-4b",
    "t-lite-it-2.1",
    "gigachat-3.1-10b-a1.8b",
  ]);
});

test("a figure of quality names its source page and the day, so that it can be checked", () => {
  const figures = CATALOGUE.flatMap((model) => model.figures.map((figure) => ({ ...figure, name: model.name })));
  expect(figures.length).toBeGreaterThan(0);
  for (const { name, benchmark, value, source, date } of figures) {
    expect(benchmark, name).toMatch(/^[А-ЯA-Z]/);
    expect(value, name).toMatch(/^\d/);
    if (source !== null) expect(source, name).toMatch(/^https:\/\/[\w.-]+\/\S+$/);
    expect(date, name).toMatch(/^2026-\d\d-\d\d$/);
  }
});

test("models that search stand in the order of the one figure that all of them have, so the best that fits is advised", () => {
  const found = CATALOGUE.filter(({ kind }) => kind === "embedder").map(({ figures }) =>
    figures.find(({ benchmark }) => benchmark.startsWith("RuBQ")),
  );
  expect(found).not.toContain(undefined);
  const values = found.map((figure) => Number(figure!.value.replace(",", ".")));
  expect(values).toEqual(values.toSorted((one, other) => other - one));
});

test("the catalogue says of each model all that a person decides by, and names each once", () => {
  expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
  for (const { name, kind, about, licence, source, bytes, repo, quantisation, parts } of CATALOGUE) {
    expect(about, name).toMatch(/^[А-Я]/);
    expect(["Apache-2.0", "MIT"], name).toContain(licence);
    expect(source, name).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+$/);
    expect(repo, name).toMatch(/^[\w.-]+\/[\w.-]+$/);
    if (kind === "speech") expect(Object.keys(parts!), name).toContainEqual(expect.stringMatching(/tokens\.txt$/));
    else expect(quantisation, name).toMatch(/^Q\d/);
    expect(bytes, name).toBeGreaterThan(1e8);
  }
});
