/**
 * The data folder of a server whose demo workspace is filled, trained and measured, made once before all tests: to fill it takes
 * three times as long as to start on what is there, and each worker's server needs one of its own. It is kept for later runs, so
 * that a single file starts within seconds.
 */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StartedServer, startServer } from "./server.ts";

/** Where the workers find it. */
const VARIABLE = "E2E_DEMO_DATA";

const ROOT = join(import.meta.dirname, "../..");
const KEPT = join(ROOT, ".cache/e2e-demo");
/** The samples have dates relative to the day on which they are made. */
const KEPT_MS = 6 * 3_600_000;
/** Twenty seconds on a quiet machine. */
const MEASURED_MS = 300_000;

/** Makes the folder unless one that the same code has made is kept. */
export async function makeDemoData(): Promise<void> {
  const kept = join(KEPT, await hashServerCode());
  process.env[VARIABLE] = kept;
  if (await isFresh(kept)) return;
  const folder = await newFolder();
  const server = await startServer(folder);
  await untilMeasured(server.url);
  await server.stop();
  await mkdir(KEPT, { recursive: true });
  await removeStale();
  // A copy that was interrupted must not be taken for a whole one.
  const copy = `${kept}-${process.pid}`;
  await cp(folder, copy, { recursive: true });
  await removeFolder(kept);
  await rename(copy, kept);
  await removeFolder(folder);
}

async function isFresh(folder: string): Promise<boolean> {
  const made = await stat(folder).catch(() => undefined);
  return made !== undefined && Date.now() - made.ctimeMs < KEPT_MS && isSameDay(made.ctime, new Date());
}

/** A run beside this one may still copy what has only just become stale. */
async function removeStale(): Promise<void> {
  for (const name of await readdir(KEPT)) {
    const folder = join(KEPT, name);
    if (Date.now() - (await stat(folder)).ctimeMs > 4 * KEPT_MS) await removeFolder(folder);
  }
}

const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString();

/** Of all that decides what the server writes into a new data folder. */
async function hashServerCode(): Promise<string> {
  const patterns = ["server/**/*", "contract/**/*", "packages/**/*"].map(
    (pattern) => `${pattern}.{ts,mjs,sql,json,md,txt}`,
  );
  const files = globSync(patterns, { cwd: ROOT, exclude: ["**/*.test.ts", "server/test/**", "**/node_modules/**"] });
  const hash = createHash("sha256").update(process.version);
  for (const file of ["package-lock.json", ...files.sort()]) hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Until every twin is trained and the one of them whose likeness is measured at the first start has its figures. */
async function untilMeasured(url: string): Promise<void> {
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/auth/telegram`, { method: "POST", headers, body: JSON.stringify(login) });
  const { token } = await answer.json();
  const get = async (path: string) =>
    (await fetch(`${url}/api/digital-twins${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  const isReady = async () => {
    const twins = (await get("")) as { id: string; status: string }[];
    if (!twins.every(({ status }) => status === "ready")) return false;
    // Strangers are measured last.
    for (const { id } of twins) if ((await get(`/${id}/quality`)).strangers?.figures) return true;
    return false;
  };
  for (const until = Date.now() + MEASURED_MS; !(await isReady()); ) {
    if (Date.now() > until) throw new Error("The demo workspace was not trained and measured in time");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const newFolder = () => mkdtemp(join(tmpdir(), "twins-e2e-"));
export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** A new data folder with the demo workspace in it. */
export async function newDemoFolder(): Promise<string> {
  const folder = await newFolder();
  const made = process.env[VARIABLE];
  if (made !== undefined) await cp(made, folder, { recursive: true });
  return folder;
}

/** For as long as `use` takes: a server of its own, with the demo workspace but where `environment` switches that off. */
export async function onOwnServer(
  environment: Record<string, string>,
  use: (server: StartedServer) => Promise<void>,
): Promise<void> {
  const dataFolder = await (environment.DEMO === "0" ? newFolder() : newDemoFolder());
  const server = await startServer(dataFolder, environment);
  await use(server);
  await server.stop();
  await removeFolder(dataFolder);
}
