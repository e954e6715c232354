/**
 * The data folder of a server whose demo workspace is filled and trained, made once before all tests: to fill it takes three
 * times as long as to start on what is there, and each worker's server needs one of its own.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StartedServer, startServer } from "./server.ts";

/** Where the workers find it. */
const VARIABLE = "E2E_DEMO_DATA";

/** Returns what removes it. */
export async function makeDemoData(): Promise<() => Promise<void>> {
  const folder = await newFolder();
  const server = await startServer(folder);
  await untilTrained(server.url);
  await server.stop();
  process.env[VARIABLE] = folder;
  return () => removeFolder(folder);
}

async function untilTrained(url: string): Promise<void> {
  const login = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/auth/telegram`, { method: "POST", headers, body: JSON.stringify(login) });
  const { token } = await answer.json();
  const isReady = async () => {
    const twins = await fetch(`${url}/api/digital-twins`, { headers: { authorization: `Bearer ${token}` } });
    return ((await twins.json()) as { status: string }[]).every(({ status }) => status === "ready");
  };
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
}

export const newFolder = () => mkdtemp(join(tmpdir(), "twins-e2e-"));
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
