/** Local platforms in a process of their own (server/test/processes/platforms-child.ts). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Platforms {
  /** For the server that speaks with them. */
  environment: Record<string, string>;
  /** false: there is no mail server on this machine. */
  hasMail: boolean;
  /** Somebody writes there. */
  write(platform: string, text: string): void;
  /** What each has delivered, oldest first. */
  delivered(): Promise<Record<string, string[]>>;
  close(): Promise<void>;
}

export async function startPlatforms(): Promise<Platforms> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../server/test/processes/platforms-child.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The local platforms have ended");
    return JSON.parse(value);
  };
  const tell = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  const { environment, hasMail } = await nextLine();
  return {
    environment,
    hasMail,
    write: (platform, text) => void tell({ platform, text }),
    async delivered() {
      tell({});
      return nextLine();
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
