/** A local Telegram in a process of its own (server/test/processes/telegram-account-child.ts). */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface TelegramAccount {
  /** For the server that signs in there. */
  environment: { TELEGRAM_DC: string; TELEGRAM_DC_KEY: string };
  login: { phoneNumber: string; password: string; apiHash: string; code: string };
  /** Lets the history be read: until then its first page is held back. */
  release(): void;
  close(): Promise<void>;
}

export async function startTelegramAccount(): Promise<TelegramAccount> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "../../server/test/processes/telegram-account-child.ts")],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const [line] = (await Promise.race([
    new Promise<[string]>((resolve) =>
      createInterface({ input: child.stdout }).once("line", (text) => resolve([text])),
    ),
    ended.then(() => [undefined]),
  ])) as [string | undefined];
  if (line === undefined) throw new Error("The local Telegram did not start");
  const { address, publicKey, login } = JSON.parse(line);
  return {
    environment: { TELEGRAM_DC: address, TELEGRAM_DC_KEY: publicKey },
    login,
    release: () => child.stdin.write("release\n"),
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
