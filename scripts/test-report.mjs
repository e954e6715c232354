import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./runtime.mjs";

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures a line for each failed test, with the first line of why
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
  /** @type {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }[]} */
  const files = report.testResults;
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  );
  const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some(isFailed));
  const failures = [
    ...tests.filter(isFailed).map(nameVitestTest),
    ...broken.map((one) => `${relative(root, one.name)}: ${one.message ?? ""}`.trim()),
  ];
  const passed = tests.filter((test) => test.status === "passed").length;
  const skipped = tests.length - passed - tests.filter(isFailed).length;
  return closeCount({ passed, skipped, failures }, code, title);
}

const SLOWEST = 10;

/**
 * The ten files of a vitest run that took longest, in seconds, for developers who want to make it quicker.
 * @param {string} file what vitest wrote with `--reporter=json`
 */
export async function slowestFiles(file) {
  const report = await readJson(file);
  /** @type {{ name: string, startTime: number, endTime: number }[]} */
  const files = report?.testResults ?? [];
  const taken = files
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((one, other) => other.seconds - one.seconds);
  const lines = taken.slice(0, SLOWEST).map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} с  ${name}`);
  return lines.length === 0 ? "" : `Дольше всех:\n${lines.join("\n")}`;
}

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} VitestTest */

/** @param {VitestTest} test */
const isFailed = (test) => test.status === "failed";

/** @param {VitestTest & { file: string }} test */
const nameVitestTest = (test) => withReason(`${relative(root, test.file)}: ${test.fullName}`, test.failureMessages[0]);

/**
 * The end of a log alone says what went wrong.
 * @param {string} name
 * @param {string | undefined} message
 */
function withReason(name, message) {
  const reason =
    stripVTControlCharacters(message ?? "")
      .trim()
      .split("\n", 1)[0] ?? "";
  return reason ? `${name}\n      ${reason.slice(0, 300)}` : name;
}

/**
 * Counts what Playwright's JSON reporter wrote.
 * @param {string} file
 * @param {number} code
 * @param {string} title
 * @returns {Promise<Count>}
 */
export async function countPlaywright(file, code, title) {
  const report = await readJson(file);
  if (!report) return countOne(false, title);
  const { expected, skipped } = report.stats;
  /** @type {Spec[]} */
  const specs = report.suites.flatMap(specsOf);
  const failures = [
    ...specs.filter(({ ok }) => !ok).map(nameSpec),
    ...report.errors.map((/** @type {{ message?: string }} */ error) => `${title}: ${error.message ?? ""}`),
  ];
  return closeCount({ passed: expected, skipped, failures }, code, title);
}

/** @typedef {{ results: { error?: { message?: string } }[] }} SpecRun */
/** @typedef {{ title: string, file: string, ok: boolean, tests: SpecRun[] }} Spec */
/** @typedef {{ suites?: Suite[], specs: Spec[] }} Suite */

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf(suite) {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** @param {Spec} spec */
const nameSpec = (spec) =>
  withReason(
    `${spec.file}: ${spec.title}`,
    spec.tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message,
  );

/**
 * @param {Omit<Count, "failed">} count
 * @param {number} code
 * @param {string} title
 * @returns {Count}
 */
function closeCount(count, code, title) {
  const failures = code !== 0 && count.failures.length === 0 ? [`${title}: код ${code}`] : count.failures;
  return { ...count, failures, failed: failures.length };
}

/** @param {string} file */
async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
