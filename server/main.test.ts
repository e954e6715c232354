/** The server as a process: failed starts, output, kills and shutdown. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DEMO_TOKEN } from "#contract/organizations/auth.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { onServer } from "./test/database.ts";
import { type ChildServer, runServer, startServer } from "./test/processes/child-server.ts";
import { prepareDataFolder } from "./test/processes/data-folder.ts";
import { startOpenAiServer } from "./test/servers/openai-server.ts";

const MASTER_KEY = Buffer.alloc(32, 5).toString("base64");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-main-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(folder, "cwd-"));
}

// Other reasons: main.full.test.ts.
describe("a start that cannot succeed ends with 1 and a sentence", () => {
  test("every invalid value of the environment and of .env is named, and the environment takes precedence", async () => {
    const cwd = await emptyFolder();
    await writeFile(join(cwd, ".env"), "PORT=http\nLOG_LEVEL=loud\nDATABASE_POOL=0\nDEMO=on\n");
    const ended = await runServer({ DATABASE_POOL: "5", TRUST_PROXY: "yes" }, cwd);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Не удалось запустить: неверные настройки\n/);
    for (const name of ["PORT: ", "LOG_LEVEL: ", "DEMO: ", "TRUST_PROXY: "]) expect(ended.stderr).toContain(name);
    expect(ended.stderr).not.toContain("DATABASE_POOL");
    expect(ended.stderr).not.toMatch(/\bat .*:\d+:\d+/);
    expect(ended.stdout).toBe("");
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });
});

describe("a server in production", () => {
  const model = { delayMs: 1500 };
  let environment: Record<string, string>;
  let cwd: string;
  let server: ChildServer;
  let token: string;
  let modelServer: Awaited<ReturnType<typeof startOpenAiServer>>;
  let dropDatabase = async () => {};

  beforeAll(async () => {
    modelServer = await startOpenAiServer({ text: "Подскажите, о какой доставке речь." });
    cwd = await emptyFolder();
    environment = {
      NODE_ENV: "production",
      MASTER_KEY,
      LOG_LEVEL: "error",
      PUBLIC_URL: "https://twins.example.ru",
      // Nothing listens there.
      SMTP_URL: "smtp://127.0.0.1:9",
    };
    const given = inject("databaseSnapshot");
    // A first start on an empty database: main.full.test.ts.
    if ("path" in given) await prepareDataFolder(join(cwd, "kept"));
    else {
      const url = new URL(given.url);
      const name = `main_${randomUUID().replaceAll("-", "")}`;
      url.pathname = `/${name}`;
      await onServer(given.url, `create database ${name}`);
      dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
      environment.DATABASE_URL = url.href;
    }
    // The other settings come from .env, as in an installation.
    await writeFile(join(cwd, ".env"), `DATA_DIR=kept\nLLM_BASE_URL=${modelServer.baseUrl}\nLLM_MODEL=test-model\n`);
    server = await startServer(environment, cwd);
  });
  afterAll(async () => {
    server.process.kill("SIGKILL");
    await modelServer.close();
    await dropDatabase();
  });

  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  test("logs one line with the address that its people use and its port, what it uses and how to change both", () => {
    const database = environment.DATABASE_URL === undefined ? `встроенная база (${join(cwd, "kept")})` : "PostgreSQL";
    expect(server.line).toMatch(/^Цифровые двойники: https:\/\/twins\.example\.ru \(порт \d+\) · /);
    for (const part of [database, "модель test-model", "DATABASE_URL", "LLM_BASE_URL"]) {
      expect(server.line).toContain(part);
    }
    expect(server.line).not.toContain("демо");
    expect(server.line).not.toContain("postgres://");
  });

  test("has no demo user: neither the demo token nor the unsigned login nor the buttons work", async () => {
    expect((await call("/api/config")).body).toMatchObject({ demo: false, engine: "llm" });
    const asDemo = { authorization: `Bearer ${DEMO_TOKEN}` };
    expect((await call("/api/auth/verify", undefined, asDemo)).status).toBe(401);
    expect((await call("/api/digital-twins", undefined, asDemo)).status).toBe(401);
    const fake = { id: 123_456_789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
    expect((await call("/api/auth/telegram", fake)).status).toBe(401);
  });

  test("refuses a second process on its data folder and says which process holds it", async ({ skip }) => {
    if (environment.DATABASE_URL !== undefined) return skip("PostgreSQL may have many");
    const second = await runServer({ ...environment, PORT: "0" }, cwd);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^Не удалось запустить: Папка .*kept занята процессом \d+ .*DATA_DIR.*\n$/);
    expect(second.stderr).toContain(` ${server.process.pid} `);
    expect((await call("/readyz")).status).toBe(200);
  });

  test("lets only its user read the data folder", async ({ skip }) => {
    if (environment.DATABASE_URL !== undefined) return skip("the folder is PostgreSQL's");
    expect((await stat(join(cwd, "kept"))).mode & 0o077).toBe(0);
  });

  test("on SIGTERM finishes the slow answer in flight, ends with 0 and frees its folder", async () => {
    const registered = await call("/api/auth/email/register", {
      email: "owner@example.test",
      password: "длинный пароль 1",
    });
    expect(registered.status).toBe(200);
    token = registered.body.token as string;
    const twin = await call("/api/digital-twins", TWIN);
    expect(twin.status).toBe(201);
    modelServer.script({ kind: "ok", delayMs: model.delayMs });
    const asked = modelServer.requests.length;
    const answer = call("/api/ai-generate", { twinId: twin.body.id, message: "Напишите стихи про доставку" });
    while (modelServer.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 10));
    const ended = server.end("SIGTERM");
    expect(await answer).toMatchObject({ status: 200, body: { response: expect.stringContaining("доставке речь") } });
    expect(await ended).toMatchObject({ code: 0, signal: null });
    expect(existsSync(join(cwd, "kept", "lock"))).toBe(false);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });
});
