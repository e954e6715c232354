/**
 * A Unix socket that relays to a target over a proxied connection, for clients that open their own sockets and have no proxy option. Only
 * this process's user can open it.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";

export interface Relay {
  path: string;
  close(): Promise<void>;
}

/** The path of a Unix socket is limited to 107 bytes. */
const shortFolder = (): string => (tmpdir().length > 80 ? "/tmp" : tmpdir());

/** @param open opens the connection to the target for each incoming connection; when it fails, the incoming one is closed */
export async function openRelay(open: () => Promise<Socket>): Promise<Relay> {
  const folder = await mkdtemp(join(shortFolder(), "dt-relay-"));
  const path = process.platform === "win32" ? `\\\\.\\pipe\\${folder.replace(/\W/g, "-")}` : join(folder, "door");
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, async (near) => {
    sockets.add(near);
    near.on("error", () => {});
    near.on("close", () => sockets.delete(near));
    try {
      const far = await open();
      if (near.destroyed) {
        far.destroy();
        return;
      }
      near.on("close", () => far.destroy());
      pipeline(far, near, () => near.destroy());
      pipeline(near, far, () => far.destroy());
    } catch {
      near.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (process.platform !== "win32") await chmod(path, 0o600);
  return {
    path,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
