import type { ModelHost } from "#server/models/host/model-host.ts";
import { modelFor } from "#server/models/local/choices.ts";
import type { ModelRegistry } from "#server/models/local/model-registry.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import type { Log } from "#server/platform/log.ts";
import type { Generator } from "./generator.ts";
import { localGenerator } from "./local-generator.ts";
import type { SharedAbilities } from "./shared-abilities.ts";

export interface ChosenModels {
  /** Returns null when no model is chosen, or the organisation wants none. Call it outside any transaction. */
  generatorFor(tenant: Tenant): Promise<Generator | null>;
}

interface Deps {
  db: Database;
  config: Pick<Config, "modelRunning">;
  sharedAbilities: SharedAbilities;
  modelRegistry: ModelRegistry;
  log: Log;
}

export function chosenModels({ db, config, modelRegistry, sharedAbilities, log }: Deps): ChosenModels {
  /** Kept between replies, because each generator learns which prompt length its model can read in time. */
  const generators = new WeakMap<ModelHost, Generator>();
  return {
    async generatorFor(tenant) {
      const row = await modelFor(db, tenant, await modelRegistry.answering());
      if (row === null) return null;
      const host = modelRegistry.hostOf(row);
      const totalMs = config.modelRunning.timeoutSeconds * 1000;
      const known =
        generators.get(host) ??
        localGenerator({ host, log, totalMs, model: row.name, ability: () => sharedAbilities.of(row.id) });
      generators.set(host, known);
      return known;
    },
  };
}
