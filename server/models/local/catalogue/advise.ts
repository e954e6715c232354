/** Recommends a set of models to users who do not want to choose. */
import type { ModelKind, ModelVerdict } from "#contract/models/local-models.ts";
import { forModels, neededByCard } from "../model-memory.ts";
import { type ModelRow, memoryOf } from "../model-rows.ts";
import { CATALOGUE } from "./catalogue.ts";
import type { Room } from "./recommend.ts";

/** The most useful kind first: search by meaning helped with more questions than a small chat model did (docs/quality.md). */
const BY_USE: readonly ModelKind[] = ["embedder", "chat", "reranker", "speech"];

/**
 * Returns the recommended model of each kind that has none yet. The models fit into memory and on the disk beside each other and beside the
 * models in use or planned.
 * @param settled kinds that the server's settings decide
 */
export function recommendModels(
  verdicts: ReadonlyMap<string, ModelVerdict>,
  room: Room,
  installed: readonly ModelRow[],
  { settled, most }: { settled: readonly ModelKind[]; most: number },
): string[] {
  const serving = installed.filter(({ chosen, allowed, wanted }) => chosen || allowed || wanted);
  let memory = forModels(room) - serving.reduce((sum, row) => sum + (memoryOf(row, most) ?? cardOf(row)), 0);
  let disk = room.diskBytes;
  const advised: string[] = [];
  for (const kind of BY_USE) {
    if (settled.includes(kind) || serving.some((row) => row.kind === kind && (row.chosen || row.wanted))) continue;
    const model = CATALOGUE.find(({ id, ...each }) => each.kind === kind && verdicts.get(id) === "recommended");
    if (model === undefined) continue;
    const here = installed.some(({ catalogueId }) => catalogueId === model.id);
    const needed = { memory: neededByCard(model), disk: here ? 0 : model.bytes };
    if (needed.memory > memory || needed.disk > disk) continue;
    memory -= needed.memory;
    disk -= needed.disk;
    advised.push(model.id);
  }
  return advised;
}

/** Returns the catalogue entry of a model that is not installed. */
const cardOf = ({ catalogueId }: ModelRow): number => {
  const model = CATALOGUE.find(({ id }) => id === catalogueId);
  return model === undefined ? 0 : neededByCard(model);
};
