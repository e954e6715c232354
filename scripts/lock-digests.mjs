/** Which entries of package-lock.json npm cannot check: it installs what it is sent for an entry without a digest. */

/**
 * Optional builds for systems that this project is not developed on. Our registry does not have these versions, so npm could write no
 * digest (`npm view <name>@<version> dist.integrity` answers 404), and nobody can install them from here either. An upgrade changes the
 * versions, and each name is to be looked up again.
 */
const NOT_AT_THE_REGISTRY = [
  "@biomejs/cli-android-arm64@2.6.8",
  "@biomejs/cli-android-x64@2.6.8",
  "@biomejs/cli-darwin-arm64@2.6.8",
  "@biomejs/cli-darwin-x64@2.6.8",
  "@biomejs/cli-linux-arm64-musl@2.6.8",
  "@biomejs/cli-linux-x64-musl@2.6.8",
  "@biomejs/cli-win32-arm64@2.6.8",
  "@biomejs/cli-win32-x64@2.6.8",
  "@node-llama-cpp/mac-arm64-metal@3.22.1",
  "@node-llama-cpp/mac-x64@3.22.1",
  "@node-llama-cpp/win-arm64@3.22.1",
  "@node-llama-cpp/win-x64@3.22.1",
  "@tailwindcss/oxide-android-arm64@4.3.5",
  "@tailwindcss/oxide-darwin-arm64@4.3.5",
  "@tailwindcss/oxide-darwin-x64@4.3.5",
  "@tailwindcss/oxide-freebsd-x64@4.3.5",
  "@tailwindcss/oxide-linux-arm-gnueabihf@4.3.5",
  "@tailwindcss/oxide-wasm32-wasi@4.3.5",
  "@tailwindcss/oxide-win32-arm64-msvc@4.3.5",
  "@tailwindcss/oxide-win32-x64-msvc@4.3.5",
];

/**
 * Builds that nobody is to get (docs/decisions/030-local-models.md): `overrides` of package.json name a version that there is not, and the lock a system
 * that there is not, so that npm asks for none of them.
 */
export const LEFT_OUT = [
  "@node-llama-cpp/linux-armv7l@0.0.0",
  "@node-llama-cpp/linux-riscv64@0.0.0",
  "@node-llama-cpp/linux-x64-cuda@0.0.0",
  "@node-llama-cpp/linux-x64-cuda-ext@0.0.0",
  "@node-llama-cpp/linux-x64-vulkan@0.0.0",
  "@node-llama-cpp/win-x64-cuda@0.0.0",
  "@node-llama-cpp/win-x64-cuda-ext@0.0.0",
  "@node-llama-cpp/win-x64-vulkan@0.0.0",
];

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, inBundle?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 */

/**
 * What is wrong with the digests of a lock file, as sentences for the developer who runs the tests: entries without one that are not
 * listed, and listed ones that the lock does not lack any more.
 * @param {Record<string, LockEntry>} packages of package-lock.json, by path
 * @param {readonly string[]} [known] name@version of those that may lack theirs
 * @param {{ os: string, cpu: string, libc: string }} [machine] whose own builds are never excused
 * @returns {string[]}
 */
export function digestFaults(packages, known = [...NOT_AT_THE_REGISTRY, ...LEFT_OUT], machine = thisMachine()) {
  const lacking = Object.entries(packages).filter(
    // The project itself and its own folders come from no registry; what is bundled comes inside its parent's archive.
    ([path, { integrity, link, inBundle }]) => path !== "" && !integrity && !link && !inBundle,
  );
  const faults = [];
  for (const [path, entry] of lacking) {
    const name = nameOf(path, entry);
    if (!known.includes(name)) faults.push(`Нет контрольной суммы: ${name} (${path})`);
    else if (!entry.optional || fits(entry, machine)) faults.push(`Ставится здесь без контрольной суммы: ${name}`);
  }
  const names = new Set(lacking.map(([path, entry]) => nameOf(path, entry)));
  for (const name of known) {
    if (!names.has(name)) faults.push(`Лишняя строка в scripts/lock-digests.mjs: ${name}`);
  }
  return faults;
}

/** @param {string} path @param {LockEntry} entry */
const nameOf = (path, { version }) => `${path.split("node_modules/").at(-1)}@${version}`;

/** @param {LockEntry} entry @param {{ os: string, cpu: string, libc: string }} machine */
function fits({ os, cpu, libc }, machine) {
  /** @param {string[] | undefined} wanted @param {string} own */
  const allows = (wanted, own) => wanted === undefined || wanted.includes(own);
  return allows(os, machine.os) && allows(cpu, machine.cpu) && allows(libc, machine.libc);
}

function thisMachine() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return { os: process.platform, cpu: process.arch, libc: report.header?.glibcVersionRuntime ? "glibc" : "musl" };
}
