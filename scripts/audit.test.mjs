import { expect, test } from "vitest";
import { auditFaults } from "./audit.mjs";

const url = "https://github.com/advisories/GHSA-aaaa-bbbb-cccc";
const advisory = { name: "bad", severity: "high", title: "Prototype pollution", url, range: "<2.0.0" };
/** As npm 11 prints it: the package itself, and one that uses it. */
const report = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    bad: { name: "bad", severity: "high", via: [advisory], effects: ["user"] },
    user: { name: "user", severity: "high", via: ["bad"], effects: [] },
    mild: {
      name: "mild",
      severity: "moderate",
      via: [{ ...advisory, name: "mild", severity: "moderate", url: `${url}2` }],
    },
  },
});
const clean = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} });
const today = "2026-11-23";

test("a grave weakness is one sentence with its package and advisory; a moderate one is not told", () => {
  expect(auditFaults(report, { exceptions: [], today })).toEqual([
    `Уязвимость (high) в bad: Prototype pollution ${url}`,
  ]);
  expect(auditFaults(clean, { exceptions: [], today })).toEqual([]);
});

test("an exception holds until its day, and is to go when the weakness has gone", () => {
  const exceptions = [{ url, reason: "the function is not called", until: "2026-12-01" }];
  expect(auditFaults(report, { exceptions, today })).toEqual([]);
  expect(auditFaults(report, { exceptions, today: "2026-12-02" })).toEqual([expect.stringMatching(/до 2026-12-01/)]);
  expect(auditFaults(clean, { exceptions, today })).toEqual([expect.stringMatching(/^Лишнее исключение/)]);
});

test("a registry that does not answer is no clean bill", () => {
  const refused = JSON.stringify({ message: "405 Method Not Allowed", statusCode: 405, error: { summary: "" } });
  for (const output of [refused, "", "npm error network"]) expect(auditFaults(output)).toBeUndefined();
});
