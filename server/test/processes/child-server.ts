/** The real server as a process of its own, for tests of starting, stopping and being killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface ChildServer {
  /** `http://127.0.0.1:port` */
  url: string;
  /** The line that the start printed. */
  line: string;
  process: ChildProcess;
  /** What it has printed so far, its log. */
  printed(): string;
  /** Sends the signal and waits for the end. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<Ended>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const flags = new URL("../../../scripts/server-flags.mjs", import.meta.url);
const { serverFlags } = (await import(flags.href)) as { serverFlags: string[] };
const SERVER = join(import.meta.dirname, "../..");
const START_MS = 180_000;

/** @param program a file of the server, with its arguments */
function launch(environment: Record<string, string>, cwd: string, program = ["main.ts"]) {
  // Nothing of this process's environment that would change what is tested.
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: cwd, ...environment };
  const [file, ...rest] = program;
  const child = spawn(process.execPath, [...serverFlags, join(SERVER, file!), ...rest], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.stderr += chunk;
  });
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...said }));
  const leave = () => child.kill("SIGKILL");
  process.once("exit", leave);
  void ended.then(() => process.off("exit", leave));
  return { child, said, ended };
}

/** Runs a server that is expected to end on its own, at the latest after three minutes. */
export async function runServer(environment: Record<string, string>, cwd: string): Promise<Ended> {
  const { child, ended } = launch(environment, cwd);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}

/** Starts `npm run <name> -- <args>`; `ended` is its end, whichever signal it got. */
export function startCommand(
  [name, ...args]: string[],
  environment: Record<string, string>,
  cwd: string,
): { process: ChildProcess; ended: Promise<Ended> } {
  const { child, ended } = launch(environment, cwd, [`commands/${name}.ts`, ...args]);
  return { process: child, ended };
}

/**
 * Starts a server on a free port and waits for its line.
 * @param heard called with all that it has printed while it starts
 * @throws Error with its output when it ends or is silent
 */
export async function startServer(
  environment: Record<string, string>,
  cwd: string,
  heard: (printed: string) => void = () => {},
): Promise<ChildServer> {
  const { child, said, ended } = launch({ HOST: "127.0.0.1", PORT: "0", ...environment }, cwd);
  const line = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`The server did not start:\n${said.stdout}${said.stderr}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail();
    }, START_MS);
    child.stdout.on("data", () => {
      heard(said.stdout + said.stderr);
      const found = said.stdout.split("\n").find((candidate) => candidate.startsWith("Цифровые двойники: http"));
      if (found === undefined || !said.stdout.endsWith("\n")) return;
      clearTimeout(timer);
      resolve(found);
    });
    void ended.then(fail);
  });
  const port = /(?:^Цифровые двойники: http:\/\/localhost:|\(порт )(\d+)/.exec(line)![1]!;
  return {
    url: `http://127.0.0.1:${port}`,
    line,
    process: child,
    printed: () => said.stdout + said.stderr,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
