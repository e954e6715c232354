// `npm run migrations -- --name what_it_does`: writes the migration that leads from the last snapshot of the schema to `server/platform/db/schema/`.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { root, run, toolEnvironment } from "./runtime.mjs";

const node = await ensureInstalled({ dev: true });
const tool = join(root, "node_modules", "drizzle-kit", "bin.cjs");
const { code } = await run(node, [tool, "generate", ...process.argv.slice(2)], { env: toolEnvironment() });
if (code === 0) await removeOldSnapshots(join(root, "server/platform/db/migrations/meta"));
process.exit(code);

/**
 * The generator compares with the last snapshot alone, and each is 13,000 lines.
 * @param {string} folder
 */
async function removeOldSnapshots(folder) {
  const snapshots = (await readdir(folder)).filter((name) => name.endsWith("_snapshot.json")).sort();
  await Promise.all(snapshots.slice(0, -1).map((name) => rm(join(folder, name))));
}
