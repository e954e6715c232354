import { expect, test } from "vitest";
import { CATALOGUE } from "./catalogue.ts";
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
  ["an old laptop", machine(4, 2), ["qvikhr-3-1.7b"]],
  ["a laptop", machine(8, 4), ["qvikhr-3-1.7b", "qwen3-embedding-0.6b", "bge-reranker-v2-m3"]],
  ["a laptop with more cores", machine(8, 6), ["qwen3-4b", "qwen3-embedding-0.6b", "bge-reranker-v2-m3"]],
  ["a workstation", machine(32, 8), ["gigachat-3.1-10b-a1.8b", "qwen3-embedding-0.6b", "bge-reranker-v2-m3"]],
  ["much memory and little disk", machine(32, 8, 1), ["qwen3-0.6b", "qwen3-embedding-0.6b", "bge-reranker-v2-m3"]],
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
  for (const { name, about, kind, parameters } of CATALOGUE)
    expect(about.endsWith(`. ${said}`), name).toBe(kind === "chat" && parameters < 3);
});

test("the catalogue says of each model all that a person decides by, and names each once", () => {
  expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
  for (const { name, about, licence, source, bytes, repo, quantisation } of CATALOGUE) {
    expect(about, name).toMatch(/^[А-Я]/);
    expect(["Apache-2.0", "MIT"], name).toContain(licence);
    expect(source, name).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+$/);
    expect(repo, name).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(quantisation, name).toMatch(/^Q\d/);
    expect(bytes, name).toBeGreaterThan(1e8);
  }
});
