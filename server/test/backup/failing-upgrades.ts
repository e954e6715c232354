/** A database with data whose new migration is planted. */
import { afterAll, beforeAll, inject } from "vitest";
import { migratedTarget } from "#server/test/backups.ts";
import { withMigrations } from "#server/test/planted-migrations.ts";
import { openUpgradeBench, type UpgradeBench } from "#server/test/upgrade-bench.ts";

export const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
export let folder: UpgradeBench["folder"];
export let lock: UpgradeBench["lock"];
export let target: UpgradeBench["target"];
export let config: UpgradeBench["config"];
export let before: UpgradeBench["before"];
let close: UpgradeBench["close"];

export const withMigration = (tag: string, statements: string) => withMigrations({ [tag]: statements });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareUpgrades(): void {
  beforeAll(async () => {
    ({ folder, lock, target, config, before, close } = await openUpgradeBench((...given) =>
      migratedTarget(engine, ...given),
    ));
  });
  afterAll(() => close());
}
