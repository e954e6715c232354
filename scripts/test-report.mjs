import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { root } from "./runtime.mjs";

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures a line for each failed test
 */

/**
 * The count of a step that either holds or does not: lint, types, a build.
 * @param {boolean} held
 * @param {string} title
 * @returns {Count}
 */
export function countOne(held, title) {
  return { passed: held ? 1 : 0, failed: held ? 0 : 1, skipped: 0, failures: held ? [] : [title] };
}

/**
 * @param {Count[]} counts
 * @returns {Count}
 */
export function addCounts(counts) {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    skipped: counts.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: counts.flatMap(({ failures }) => failures),
  };
}

/**
 * Counts what vitest wrote with `--reporter=json`. A file that could not be loaded holds no tests and counts as one
 * failure; so does a run that ended badly without naming a test (an unhandled rejection, a crash).
 * @param {string} file
 * @param {number} code the exit code
 * @param {string} title names the step where no test can be named
 * @returns {Promise<Count>}
 */
export async function countVitest(file, code, title) {
  const report = await readJson(file);
  if (!report) return countOne(false, title);
  /** @type {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string }[] }[]} */
  const files = report.testResults;
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  );
  const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some(isFailed));
  const failures = [
    ...tests.filter(isFailed).map((test) => `${relative(root, test.file)}: ${test.fullName}`),
    ...broken.map((one) => `${relative(root, one.name)}: ${one.message ?? ""}`.trim()),
  ];
  const passed = tests.filter((test) => test.status === "passed").length;
  return closeCount(passed, tests.length - passed - tests.filter(isFailed).length, failures, code, title);
}

/** @param {{ status: string }} test */
const isFailed = (test) => test.status === "failed";

/**
 * Counts what Playwright's JSON reporter wrote. A test that passed at the second try is counted as passed and named.
 * @param {string} file
 * @param {number} code
 * @param {string} title
 * @returns {Promise<Count>}
 */
export async function countPlaywright(file, code, title) {
  const report = await readJson(file);
  if (!report) return countOne(false, title);
  const { expected, flaky, skipped } = report.stats;
  const failures = [
    ...report.suites.flatMap(failedSpecs),
    ...report.errors.map((/** @type {{ message?: string }} */ error) => `${title}: ${error.message ?? ""}`),
  ];
  return closeCount(expected + flaky, skipped, failures, code, title);
}

/**
 * @typedef {object} Suite
 * @property {Suite[]} [suites]
 * @property {{ title: string, file: string, ok: boolean }[]} specs
 */

/**
 * @param {Suite} suite
 * @returns {string[]}
 */
function failedSpecs(suite) {
  const own = suite.specs.filter(({ ok }) => !ok).map((spec) => `${spec.file}: ${spec.title}`);
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

/**
 * @param {number} passed
 * @param {number} skipped
 * @param {string[]} failures
 * @param {number} code
 * @param {string} title
 * @returns {Count}
 */
function closeCount(passed, skipped, failures, code, title) {
  const named = code !== 0 && failures.length === 0 ? [`${title}: код ${code}`] : failures;
  return { passed, failed: named.length, skipped, failures: named };
}

/** @param {string} file */
async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
