import { expect } from "@playwright/test";
import type { Server } from "../servers/server.ts";

const readTokens = new WeakMap<Server, Set<string>>();

/**
 * The token in the newest letter to `address` that no call has read yet, from the server's log. The log arrives through a
 * pipe: without remembering what was read, a second letter's reader could take the first one's token.
 */
export async function tokenTo(server: Server, address: string): Promise<string> {
  const read = readTokens.get(server) ?? new Set<string>();
  readTokens.set(server, read);
  const unreadToken = () =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes(`"to":"${address}"`))
      .map((line) => /token=([\w-]+)/.exec(line)?.[1])
      .findLast((token) => token !== undefined && !read.has(token));
  await expect.poll(unreadToken).toBeTruthy();
  const token = unreadToken()!;
  read.add(token);
  return token;
}
