import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { licenceFaults, licencesOf } from "./licences.mjs";

const { packages } = JSON.parse(await readFile(join(import.meta.dirname, "../package-lock.json"), "utf8"));
const faultsOf = (/** @type {string | undefined} */ license) =>
  licenceFaults({ "node_modules/a": { version: "1.0.0", ...(license === undefined ? {} : { license }) } });

test("every package of the lock comes under a licence that is allowed", () => {
  expect(licenceFaults(packages)).toEqual([]);
  expect(licencesOf(packages).length).toBeGreaterThan(500);
});

test.each([
  "GPL-3.0-only",
  "AGPL-3.0",
  "SEE LICENSE IN LICENSE",
  "BUSL-1.1",
  "MIT AND GPL-2.0",
  "(MIT AND (ISC OR MIT))",
])("%s is not, and the sentence names the package and what to do", (licence) => {
  expect(faultsOf(licence)).toEqual([
    expect.stringMatching(/^Лицензия «.*» не разрешена: a@1\.0\.0\. .*licences\.mjs/),
  ]);
});

test("a package that names none fails as well", () => {
  expect(faultsOf(undefined)).toEqual([expect.stringMatching(/^Лицензия не указана: a@1\.0\.0\./)]);
});

test.each(["MIT", "(MIT OR GPL-3.0-or-later)", "(MIT AND Zlib)"])("of %s one may choose what is allowed", (licence) => {
  expect(faultsOf(licence)).toEqual([]);
});
