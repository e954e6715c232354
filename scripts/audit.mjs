/** What `npm audit` knows of the packages that the server runs and browsers get. */

/**
 * Known weaknesses that we live with: the address of the advisory, why it does not reach us, and until when that holds (a day).
 * @type {{ url: string, reason: string, until: string }[]}
 */
const EXCEPTIONS = [];

const GRAVE = ["high", "critical"];

/**
 * @typedef {object} Advisory
 * @property {string} name of the package
 * @property {string} severity
 * @property {string} title
 * @property {string} url
 */

/**
 * Reads what `npm audit --json` has printed.
 * @param {string} output
 * @param {{ exceptions?: { url: string, reason: string, until: string }[], today?: string }} [options] `today` as 2026-11-23
 * @returns {string[] | undefined} a sentence for each grave weakness and each exception whose day has come; undefined when the registry gave no answer
 */
export function auditFaults(output, { exceptions = EXCEPTIONS, today = new Date().toISOString().slice(0, 10) } = {}) {
  const found = advisoriesIn(output);
  if (found === undefined) return undefined;
  const accepted = new Set(exceptions.map(({ url }) => url));
  const overdue = exceptions.filter(({ until }) => until < today);
  const urls = new Set(found.map(({ url }) => url));
  return [
    ...found
      .filter(({ url }) => !accepted.has(url))
      .map(({ name, severity, title, url }) => `Уязвимость (${severity}) в ${name}: ${title} ${url}`),
    ...overdue.map(
      ({ url, until }) => `Исключение действовало до ${until}, обновите пакет или срок в scripts/audit.mjs: ${url}`,
    ),
    ...exceptions.filter(({ url }) => !urls.has(url)).map(({ url }) => `Лишнее исключение в scripts/audit.mjs: ${url}`),
  ];
}

/**
 * Each advisory once. A package is named there also because it uses another one that has a weakness; then the advisory is the other's.
 * @param {string} output
 * @returns {Advisory[] | undefined}
 */
function advisoriesIn(output) {
  /** @type {{ vulnerabilities?: Record<string, { via: (string | Advisory)[] }> }} */
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return undefined;
  }
  if (report.vulnerabilities === undefined) return undefined;
  const advisories = Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((via) => typeof via !== "string")
    .filter(({ severity }) => GRAVE.includes(severity));
  return [...new Map(advisories.map((advisory) => [advisory.url, advisory])).values()];
}
