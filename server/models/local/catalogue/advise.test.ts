import { expect, test } from "vitest";
import type { ModelRow } from "../model-rows.ts";
import { recommendModels } from "./advise.ts";
import { CATALOGUE } from "./catalogue.ts";
import { recommend } from "./recommend.ts";

const GB = 1024 ** 3;
const advised = (
  [memory, cores, disk]: [number, number, number],
  installed: Partial<ModelRow>[] = [],
  settled: ModelRow["kind"][] = [],
) => {
  const room = { memoryBytes: memory * GB, cores, diskBytes: disk * GB };
  return recommendModels(recommend(CATALOGUE, room), room, installed as ModelRow[], { settled, most: 4096 });
};
const row = (catalogueId: string, own: Partial<ModelRow>): Partial<ModelRow> => ({
  ...{ kind: CATALOGUE.find(({ id }) => id === catalogueId)!.kind, catalogueId, bytes: null },
  ...{ chosen: false, allowed: false, wanted: false },
  ...own,
});

test("one model of each kind is advised, search by meaning first, as many as fit into memory and on the disk together", () => {
  expect(advised([8, 4, 500])).toEqual(["bge-m3", "qvikhr-3-1.7b", "bge-reranker-v2-m3", "gigaam-v3-ctc"]);
  expect(advised([7, 4, 500])).toEqual(["bge-m3", "qvikhr-3-1.7b", "bge-reranker-v2-m3"]);
  expect(advised([4, 2, 500])).toEqual(["multilingual-e5-small", "qvikhr-3-1.7b"]);
  expect(advised([1, 1, 500])).toEqual([]);
  // Each model alone would fit on this disk.
  expect(advised([8, 4, 2])).toEqual(["bge-m3", "qvikhr-3-1.7b", "gigaam-v3-ctc"]);
});

test("what serves, is to serve or is settled is not advised again, and its memory is not given away", () => {
  expect(advised([16, 4, 500], [row("multilingual-e5-small", { chosen: true })])).not.toContain("bge-m3");
  expect(advised([16, 4, 500], [row("bge-m3", { wanted: true })])).not.toContain("bge-m3");
  expect(advised([16, 4, 500], [], ["embedder", "chat"])).toEqual(["bge-reranker-v2-m3", "gigaam-v3-ctc"]);
  expect(advised([4, 2, 500], [row("qwen3-1.7b", { wanted: true })])).toEqual(["gigaam-v3-ctc"]);
  // The model is installed, but nothing uses it.
  expect(advised([8, 4, 2], [row("bge-reranker-v2-m3", {})])).toContain("bge-reranker-v2-m3");
});
