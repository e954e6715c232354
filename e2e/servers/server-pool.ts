/**
 * The servers that the browser tests share, one for each of Playwright's parallel places. They are started when they are first
 * asked for and outlive the workers: a start costs four seconds of a core, and a file with other options makes a new worker.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants } from "node:os";
import { startBotApi } from "./bot-api.ts";
import { makeDemoData, newDemoFolder, removeFolder } from "./demo-data.ts";
import { type Server, type ServerPlace, type StartedServer, serverAt, startServer } from "./server.ts";

/** Its address becomes, with what stands there, the first confirmed user who is the platform's administrator. */
export const SUPER_ADMIN_EMAIL = "chief@example.com";

/** Where the workers ask for their server. */
const VARIABLE = "E2E_SERVER_POOL";

/** Playwright's global setup. */
export default async function prepare(): Promise<() => Promise<void>> {
  // Playwright has no handler of its own: told to stop, it would end without «exit» and leave the servers behind.
  for (const signal of ["SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  await makeDemoData();
  const telegram = await startBotApi();
  const servers = new Map<string, Promise<StartedServer>>();
  const start = async () => startServer(await newDemoFolder(), { SUPER_ADMIN_EMAIL, TELEGRAM_API_ROOT: telegram.root });

  const desk = createServer(async (request, response) => {
    const place = request.url ?? "/";
    const server = servers.get(place) ?? start();
    servers.set(place, server);
    try {
      const { url, dataFolder } = await server;
      response.end(JSON.stringify({ url, dataFolder } satisfies ServerPlace));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
  process.env[VARIABLE] = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;

  return async () => {
    desk.close();
    for (const started of await Promise.allSettled(servers.values())) {
      if (started.status === "rejected") continue;
      await started.value.stop();
      await removeFolder(started.value.dataFolder);
    }
    await telegram.close();
  };
}

/** @param place Playwright's `parallelIndex`: no two workers have the same at once. */
export async function pooledServer(place: number): Promise<Server> {
  const answer = await fetch(`${process.env[VARIABLE]}/${place}`);
  if (!answer.ok) throw new Error(await answer.text());
  return serverAt((await answer.json()) as ServerPlace);
}
