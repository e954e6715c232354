// `npm test`: every check there is, from formatting to the browser, each step even after a failed one. The last line is
// «N passed, N failed». `npm test -- --only unit,browser` runs some of the steps, `npm run test:full` also what takes long.
import { constants } from "node:os";
import { parseArgs } from "node:util";
import { ensureInstalled, InstallationError } from "./install.mjs";
import { onParentGone } from "./parent-watchdog.mjs";
import { endGroups, say } from "./runtime.mjs";
import { addCounts, countOne } from "./test-report.mjs";
import { steps } from "./test-steps.mjs";

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.once(signal, () => leave(signal));
}
onParentGone(() => leave("SIGTERM"));

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, full: { type: "boolean", default: false } },
});
const names = (values.only ?? []).flatMap((list) => list.split(","));
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  say(`Нет шага «${unknown.join(", ")}». Есть: ${steps.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const count = await runSteps(chosenSteps());
// A test that was ended in the middle may have left its server behind.
await endGroups(2000);
if (count.failures.length > 0) say(`\nНе прошли:\n${count.failures.map((line) => `  ${line}`).join("\n")}`);
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
say(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
process.exit(count.failed > 0 ? 1 : 0);

/** Those that are named, else all; what belongs to the full run only there. */
function chosenSteps() {
  if (names.length > 0) return steps.filter(({ name }) => names.includes(name));
  return steps.filter(({ full = false }) => values.full || !full);
}

/**
 * Ends what the steps have started: vitest's and Playwright's workers, and the servers that their tests run. The PostgreSQL step removes
 * its cluster at exit.
 * @param {"SIGINT" | "SIGTERM" | "SIGHUP"} signal
 */
async function leave(signal) {
  await endGroups(5000);
  process.exit(128 + constants.signals[signal]);
}

/** @param {import("./test-steps.mjs").Step[]} chosen */
async function runSteps(chosen) {
  /** @type {Map<string, Promise<import("./test-report.mjs").Count>>} */
  const counts = new Map();
  const began = performance.now();
  try {
    const node = await ensureInstalled({ dev: true });
    for (const step of chosen) {
      if (step.after) await counts.get(step.after);
      const counted = runStep(step, node);
      counts.set(step.name, counted);
      if (!step.beside) await counted;
    }
  } catch (error) {
    if (!(error instanceof InstallationError)) throw error;
    say(error.message);
    counts.set("install", Promise.resolve(countOne(false, "npm ci")));
  }
  const all = await Promise.all(counts.values());
  say(`\nВсего ${seconds(began)} с.`);
  return addCounts(all);
}

/**
 * @param {import("./test-steps.mjs").Step} step
 * @param {string} node
 */
async function runStep(step, node) {
  say(`\n── ${step.title}`);
  const began = performance.now();
  const count = await step.run(node, values.full ?? false).catch((error) => {
    say(String(error?.stack ?? error));
    return countOne(false, step.title);
  });
  const verdict = count.failed > 0 ? `не прошло ${count.failed}` : "в порядке";
  say(`── ${step.title}: ${verdict}, прошло ${count.passed}, ${seconds(began)} с`);
  return count;
}

/** @param {number} began */
function seconds(began) {
  return ((performance.now() - began) / 1000).toFixed(1);
}
