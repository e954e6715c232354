/** Determines which models this machine can run, and which of each kind suits it best. */
import type { ModelKind, ModelVerdict } from "#contract/models/local-models.ts";
import { forModels, type Machine, neededByCard } from "../model-memory.ts";
import type { CatalogueModel } from "./catalogue.ts";

export interface Room extends Machine {
  /** Free disk space in bytes, without the reserve. */
  diskBytes: number;
}

/**
 * Billions of active parameters with which one core still writes at reading speed. On two cores, one of which is left to the server, a
 * model of 1.7 writes five tokens a second (docs/decisions/030-local-models.md).
 */
const PER_CORE = 0.9;
/** Maximum share of memory for search models; the rest leaves room for a chat model. */
const READER_MEMORY_SHARE = 0.35;

/** Returns a verdict for each model; at most one of each kind is recommended. */
export function recommend(models: readonly CatalogueModel[], room: Room): Map<string, ModelVerdict> {
  const verdicts = new Map(models.map((model) => [model.id, verdictOf(model, room)] as const));
  for (const kind of new Set(models.map((model) => model.kind))) {
    const fitting = models.filter((model) => model.kind === kind && verdicts.get(model.id) === "fits");
    const best = bestOf(kind, fitting);
    if (best !== undefined) verdicts.set(best.id, "recommended");
  }
  return verdicts;
}

/** Picks the largest generating model, but the first search model in the catalogue. */
const bestOf = (kind: ModelKind, fitting: readonly CatalogueModel[]): CatalogueModel | undefined =>
  kind === "chat"
    ? fitting.reduce<CatalogueModel | undefined>(
        (best, model) => (best === undefined || model.parameters > best.parameters ? model : best),
        undefined,
      )
    : fitting[0];

function verdictOf(model: CatalogueModel, room: Room): ModelVerdict {
  const { kind, bytes, activeParameters } = model;
  const memory = forModels(room) * (kind === "chat" ? 1 : READER_MEMORY_SHARE);
  if (neededByCard(model) > memory) return "no-memory";
  if (bytes > room.diskBytes) return "no-disk";
  return kind === "chat" && activeParameters > room.cores * PER_CORE ? "slow" : "fits";
}
