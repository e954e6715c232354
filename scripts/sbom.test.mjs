import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./runtime.mjs";

test("the list of parts is a CycloneDX file with each package that is shipped, by version and digest; the tests' tools are marked", () => {
  const folder = mkdtempSync(join(tmpdir(), "dt-sbom-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "sbom.cdx.json");
  const made = spawnSync(process.execPath, [join(root, "scripts/sbom.mjs"), file], { encoding: "utf8" });
  expect(made.stderr + made.stdout).toContain("CycloneDX");
  expect(made.status).toBe(0);
  const sbom = JSON.parse(readFileSync(file, "utf8"));
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "digital-twins", type: "application" } },
  });
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, version] of Object.entries(dependencies)) {
    const found = sbom.components.find(
      (/** @type {{ purl: string }} */ { purl }) => purl === `pkg:npm/${name.replace("@", "%40")}@${version}`,
    );
    expect(found, name).toMatchObject({ hashes: [{ alg: "SHA-512" }] });
  }
  const tool = sbom.components.find((/** @type {{ name: string }} */ { name }) => name === "vitest");
  expect(tool.properties).toContainEqual({ name: "cdx:npm:package:development", value: "true" });
});

test("without a file's name it says how it is called, and writes nothing", () => {
  const made = spawnSync(process.execPath, [join(root, "scripts/sbom.mjs")], { encoding: "utf8" });
  expect(made).toMatchObject({ status: 2, stdout: "npm run sbom -- ФАЙЛ\n" });
});
