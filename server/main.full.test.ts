import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { startPglite } from "./platform/db/database.ts";
import { onServer } from "./test/database.ts";
import { runServer, startServer } from "./test/processes/child-server.ts";
import { prepareDataFolder } from "./test/processes/data-folder.ts";

const MASTER_KEY = Buffer.alloc(32, 5).toString("base64");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-main-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(folder, "cwd-"));
}

describe.concurrent("a start that cannot succeed ends with 1 and a sentence", () => {
  test("a data folder that is a file is reported with DATA_DIR", async () => {
    const cwd = await emptyFolder();
    await writeFile(join(cwd, "taken"), "");
    const ended = await runServer({ DATA_DIR: "taken" }, cwd);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Не удалось запустить: DATA_DIR: .*\n$/) });
  });

  test("a PostgreSQL that does not answer is reported with DATABASE_URL, without the password", async () => {
    const ended = await runServer(
      { DATABASE_URL: "postgres://twins:hidden-word@127.0.0.1:1/twins", MASTER_KEY },
      await emptyFolder(),
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Не удалось запустить: DATABASE_URL: PostgreSQL не отвечает .*\n$/);
    expect(ended.stderr).not.toContain("hidden-word");
  });

  test("invalid model files are reported with their settings before anything else is opened", async () => {
    const cwd = await emptyFolder();
    await writeFile(join(cwd, "text.gguf"), "Это не модель, а просто текст, довольно длинный.");
    const ended = await runServer({ MODEL_PATH: "no.gguf", EMBEDDING_MODEL_PATH: "text.gguf" }, cwd);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Не удалось запустить: неверные настройки\n/);
    expect(ended.stderr).toMatch(/MODEL_PATH: файла .*no\.gguf нет\n/);
    expect(ended.stderr).toMatch(/EMBEDDING_MODEL_PATH: .*text\.gguf — не модель в формате GGUF\n/);
    expect(ended.stderr).not.toMatch(/\bat .*:\d+:\d+/);
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });

  const snapshot = () => inject("databaseSnapshot");
  test("a database of an early build is reported with its setting, and is left unchanged", async () => {
    const [cwd, given] = [await emptyFolder(), snapshot()];
    const early = "update drizzle.__drizzle_migrations set created_at = id";
    let environment: Record<string, string> = { DATA_DIR: "kept" };
    if ("path" in given) {
      await prepareDataFolder(join(cwd, "kept"));
      const pglite = await startPglite({ dataDir: join(cwd, "kept/database") });
      await pglite.exec(early).finally(() => pglite.close());
    } else {
      const url = new URL(given.url);
      url.pathname = `/early_${randomUUID().replaceAll("-", "")}`;
      await onServer(given.url, `create database ${url.pathname.slice(1)} template ${given.template}`);
      await onServer(url.href, early);
      environment = { DATABASE_URL: url.href, MASTER_KEY };
    }
    const ended = await runServer(environment, cwd);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^Не удалось запустить: (DATA_DIR: база в папке .*kept|DATABASE_URL: база) сделана .* до версии 0\.2\.0, .* Данные не тронуты\. .*\n$/,
    );
  });

  test("a missing database is reported with DATABASE_URL", async ({ skip }) => {
    const given = snapshot();
    if ("path" in given) return skip("needs PostgreSQL");
    const url = new URL(given.url);
    url.pathname = "/no_such_database";
    const ended = await runServer({ DATABASE_URL: url.href, MASTER_KEY }, await emptyFolder());
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Не удалось запустить: DATABASE_URL: такой базы нет .*\n$/);
  });

  test.for(["UTF8", "SQL_ASCII"])(
    "a new database with the locale C and %s is refused, and the message says how to create it",
    async (encoding, { skip }) => {
      const given = snapshot();
      if ("path" in given) return skip("needs PostgreSQL");
      const url = new URL(given.url);
      const name = `latin_${randomUUID().replaceAll("-", "")}`;
      url.pathname = `/${name}`;
      await onServer(given.url, `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
      const ended = await runServer({ DATABASE_URL: url.href, MASTER_KEY }, await emptyFolder()).finally(() =>
        onServer(given.url, `drop database ${name} with (force)`),
      );
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(`(кодировка ${encoding}, локаль C)`);
      expect(ended.stderr).toMatch(
        /^Не удалось запустить: DATABASE_URL: .* TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C\.UTF-8'\.\n$/,
      );
    },
  );
});

describe("a server in production", () => {
  let cwd: string;
  let environment: Record<string, string>;
  let dropDatabase = async () => {};
  beforeAll(async () => {
    cwd = await emptyFolder();
    environment = {
      NODE_ENV: "production",
      MASTER_KEY,
      LOG_LEVEL: "error",
      DATA_DIR: "kept",
      PUBLIC_URL: "https://twins.example.ru",
      // Nothing listens there.
      SMTP_URL: "smtp://127.0.0.1:9",
    };
    const given = inject("databaseSnapshot");
    if ("path" in given) return;
    const url = new URL(given.url);
    const name = `main_${randomUUID().replaceAll("-", "")}`;
    url.pathname = `/${name}`;
    await onServer(given.url, `create database ${name}`);
    dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
    environment.DATABASE_URL = url.href;
  });
  afterAll(() => dropDatabase());

  test("keeps what it acknowledged when it is killed, and starts again", async () => {
    let server = await startServer(environment, cwd);
    let token: string | undefined;
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`${server.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const registered = await call("/api/auth/email/register", {
      email: "owner@example.test",
      password: "длинный пароль 1",
    });
    expect(registered.status).toBe(200);
    token = registered.body.token as string;
    const twin = await call("/api/digital-twins", TWIN);
    expect(twin.status).toBe(201);
    await server.end("SIGKILL");
    server = await startServer(environment, cwd);
    const found = await call(`/api/digital-twins/${twin.body.id}`);
    expect(found).toMatchObject({ status: 200, body: { name: "Анна" } });
    await server.end("SIGKILL");
  });

  test("names a misspelt setting, and the one that was meant", async () => {
    const server = await startServer({ ...environment, BACKUP_FODLER: "copies" }, cwd);
    expect(server.printed()).toContain(
      "BACKUP_FODLER: такой настройки нет, значение не действует. Похоже на BACKUP_FOLDER.\n",
    );
    await server.end("SIGKILL");
  });

  test("says which port is taken, and by whom", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as { port: number };
    try {
      const ended = await runServer({ ...environment, HOST: "127.0.0.1", PORT: String(port) }, cwd);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(`Не удалось запустить: порт ${port} занят: на нём процесс ${process.pid} (`);
      expect(ended.stderr).toContain("). Остановите того, кто его держит, или задайте другой в PORT.\n");
    } finally {
      holder.close();
    }
  });

  test("says which address is not this machine's", async () => {
    const ended = await runServer({ ...environment, HOST: "192.0.2.1", PORT: "0" }, cwd);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Не удалось запустить: адрес.* 192\.0\.2\.1 .*HOST\.\n$/);
  });
});
