// The questions of the demo twins, asked over HTTP of a server of its own (answers.ts): what a newcomer gets.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "../server/test/child-server.ts";

const TRAINED_WITHIN_MS = 120_000;

/** «set dev fact: 30 of 32», a line for each set and kind of question. */
export async function demoAnswers(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "dt-quality-"));
  const server = await startServer(
    { DEMO: "1", DATA_DIR: folder, LOG_LEVEL: "silent", REQUESTS_PER_MINUTE: "0" },
    folder,
  );
  try {
    await waitForTraining(server.url);
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, "answers.ts"),
      server.url,
    ]);
    return stdout.trim().split("\n");
  } finally {
    await server.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }
}

const TEST_USER = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };

async function waitForTraining(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${url}/api/auth/telegram`, { method: "POST", headers, body: JSON.stringify(TEST_USER) });
  const { token } = (await login.json()) as { token: string };
  for (const until = Date.now() + TRAINED_WITHIN_MS; Date.now() < until; ) {
    const answer = await fetch(`${url}/api/digital-twins`, { headers: { authorization: `Bearer ${token}` } });
    const twins = (await answer.json()) as { status: string }[];
    if (twins.length > 0 && twins.every(({ status }) => status === "ready")) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The demo twins did not become ready");
}
