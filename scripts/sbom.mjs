// The parts that the product is made of, as npm lists them from the lock, in the format CycloneDX. By hand: `npm run sbom -- FILE`.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { machineEnvironment, npm, run, say } from "./runtime.mjs";

/**
 * With what only tests and checks use, which is marked as such: npm's `--omit=dev` also leaves out what is shipped and a tool asks for as well.
 * @returns {Promise<{ text: string, components: number }>} no components: `text` is what npm said instead
 */
export async function readSbom() {
  const { command, args } = npm();
  const flags = [
    "sbom",
    "--sbom-format=cyclonedx",
    "--sbom-type=application",
    "--package-lock-only",
    "--loglevel=silent",
  ];
  const { output: text } = await run(command, [...args, ...flags], { quiet: true, env: machineEnvironment() });
  try {
    const sbom = JSON.parse(text);
    if (sbom.bomFormat !== "CycloneDX") return { text, components: 0 };
    // npm calls it by the folder that it happens to lie in.
    const { component } = sbom.metadata;
    component.name = /^pkg:npm\/(.*)@/.exec(component.purl)?.[1] ?? component.name;
    return { text: `${JSON.stringify(sbom, null, 2)}\n`, components: sbom.components.length };
  } catch {
    return { text, components: 0 };
  }
}

/** @param {string | undefined} file */
async function writeSbom(file) {
  if (file === undefined) {
    say("npm run sbom -- ФАЙЛ");
    process.exitCode = 2;
    return;
  }
  const { text, components } = await readSbom();
  if (components === 0) {
    say(`npm sbom не дал списка: ${text.trim()}`);
    process.exitCode = 1;
    return;
  }
  await writeFile(file, text);
  say(`${file}: CycloneDX, компонентов ${components}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeSbom(process.argv[2]);
