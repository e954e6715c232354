// A PostgreSQL for one test run: the one TEST_DATABASE_URL names, or a throw-away cluster from the binaries found here.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, rmSync } from "node:fs";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { installPackage, mayInstallPackages } from "./apt.mjs";
import { freePort } from "./free-port.mjs";
import { run } from "./runtime.mjs";

/**
 * @typedef {object} Postgres
 * @property {string} url a superuser's connection URL; tests create their own databases beside the named one
 * @property {string} version what the server calls itself, for the log
 * @property {() => Promise<void>} stop stops and removes the cluster; does nothing to a server that was already there
 */

/**
 * Starts the cluster in a temporary folder. It listens on a random port of 127.0.0.1, lets everyone there in, does not
 * fsync, and is removed by `stop`, or at the process's exit when `stop` was never reached.
 * @returns {Promise<Postgres | undefined>} undefined when there is no PostgreSQL and none may be installed
 * @throws {Error} when the binaries are there but the server does not start; the message holds its log
 */
export async function startPostgres() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, version: "TEST_DATABASE_URL", stop: async () => {} };
  let bin = findBinaries();
  if (!bin && mayInstallPackages() && (await installPackage("postgresql"))) bin = findBinaries();
  return bin ? startCluster(bin) : undefined;
}

/**
 * Gives `use` a PostgreSQL and takes it away afterwards, whatever `use` did.
 * @template T
 * @param {(postgres: Postgres | undefined) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withPostgres(use) {
  const postgres = await startPostgres();
  try {
    return await use(postgres);
  } finally {
    await postgres?.stop();
  }
}

/** The newest installed version's folder of `initdb` and `postgres`; Debian keeps them off the PATH. */
function findBinaries() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const asked = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(asked ? [asked] : []),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** PostgreSQL refuses to run as root, so root hands the cluster to a user with fewer rights. */
function findOwner() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout));
    if (uid && gid) return { uid, gid };
  }
  throw new Error("PostgreSQL не запускается от имени root, а пользователей postgres и nobody здесь нет.");
}

/**
 * @typedef {Postgres & { restart: () => Promise<void> }} OwnPostgres
 * `restart` ends all sessions and starts the server anew on the same port with the same data
 */

/**
 * A cluster for its caller alone, whatever TEST_DATABASE_URL names. What was committed outlives its restart.
 * @returns {Promise<OwnPostgres | undefined>} undefined when there is no PostgreSQL here
 */
export async function startOwnPostgres() {
  const bin = findBinaries();
  return bin ? startCluster(bin, { synchronous_commit: "on" }) : undefined;
}

/**
 * @param {string} bin
 * @param {Record<string, string>} [more] settings
 * @returns {Promise<OwnPostgres>}
 */
async function startCluster(bin, more = {}) {
  const owner = findOwner();
  // Not TMPDIR: the owner may have no way into it, and a socket's path may be at most 107 bytes long.
  const folder = await mkdtemp("/tmp/twins-postgres-");
  if (owner.uid) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const initialize = (/** @type {string} */ locale) =>
    run(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", `--locale=${locale}`, "-N"], {
      ...owner,
      cwd: folder,
      quiet: true,
    });
  let initialized = await initialize("C.UTF-8");
  // Not «C»: the server refuses a database that knows no letters but Latin ones.
  if (initialized.code !== 0) initialized = await initialize("en_US.UTF-8");
  if (initialized.code !== 0) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`initdb: ${initialized.output.trim()}`);
  }
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: 100,
    shared_buffers: "128MB",
    // The two-core machine has no use for parallel plans of tiny tables.
    max_parallel_workers_per_gather: 0,
    ...more,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // A file, not a pipe: every session writes there, and blocks once a full pipe is not read.
  const logFile = join(folder, "log");
  const launch = () => {
    const log = openSync(logFile, "a");
    const child = spawn(join(bin, "postgres"), ["-D", data, ...options], {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", log],
    });
    closeSync(log);
    return child;
  };
  let server = launch();
  const leave = () => {
    server.kill("SIGQUIT"); // «immediate»
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", leave);
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const end = async () => {
    if (hasEnded()) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT"); // «fast»: ends the sessions instead of waiting for them
    const force = setTimeout(() => server.kill("SIGQUIT"), 5_000);
    await ended;
    clearTimeout(force);
  };
  const stop = async () => {
    process.off("exit", leave);
    await end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const becomeReady = async () => {
    if (await isReady(bin, port, server)) return;
    const said = (await readFile(logFile, "utf8")).slice(-20_000);
    if (hasEnded()) leave();
    else await stop();
    throw new Error(`PostgreSQL не запустился:\n${said.trim()}`);
  };
  const restart = async () => {
    await end();
    server = launch();
    await becomeReady();
  };
  await becomeReady();
  const version = `PostgreSQL ${(await readFile(join(data, "PG_VERSION"), "utf8")).trim()}`;
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, version, stop, restart };
}

/**
 * @param {string} bin
 * @param {number} port
 * @param {import("node:child_process").ChildProcess} server
 */
async function isReady(bin, port, server) {
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    if (server.exitCode !== null || server.signalCode !== null) return false;
    const answer = await run(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)], { quiet: true });
    if (answer.code === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
