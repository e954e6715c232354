/** The commands as processes: beside a running server, killed halfway, and ended by Ctrl-C. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { makeLock } from "#server/test/backups.ts";
import { onServer } from "#server/test/database.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type ChildServer, runServer, startCommand, startServer } from "#server/test/processes/child-server.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { TELEGRAM_LOGIN, telegramSignIn } from "#server/test/sign-in/telegram-sign-in.ts";
import { readBackupState } from "../last-backup.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

let key: Record<string, string>;
let folder: string;
let database: string | null = null;
let server: ChildServer;
let settings: Record<string, string>;
let authorization: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-backups-"));
  const { recipient, identity } = await makeLock();
  key = { BACKUP_RECIPIENT: recipient!, BACKUP_IDENTITY: identity! };
  settings = { ...common("data"), ...TELEGRAM_LOGIN };
  const snapshot = inject("databaseSnapshot");
  if ("path" in snapshot) await prepareDataFolder(join(folder, "data"));
  else {
    database = `backed_up_${randomBytes(6).toString("hex")}`;
    await onServer(snapshot.url, `create database ${database}`);
    const url = new URL(snapshot.url);
    url.pathname = `/${database}`;
    Object.assign(settings, { DATABASE_URL: url.href, MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
  }
  server = await startServer(settings, folder);
  const person = telegramSignIn({ first_name: "Анна", last_name: "К" });
  const answer = await call(server, "POST", "/api/auth/telegram", person);
  authorization = `Bearer ${((await answer.json()) as { token: string }).token}`;
});
afterAll(async () => {
  await server.end("SIGKILL");
  const snapshot = inject("databaseSnapshot");
  if (database !== null && !("path" in snapshot)) {
    await onServer(snapshot.url, `drop database if exists ${database} with (force)`);
  }
  await rm(folder, { recursive: true, force: true });
});

const common = (dataDir: string): Record<string, string> => ({
  DATA_DIR: join(folder, dataDir),
  DEMO: "0",
  LOG_LEVEL: "error",
  REQUESTS_PER_MINUTE: "0",
  ...key,
});

function call({ url }: ChildServer, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: authorization ?? "", ...(body && { "content-type": "application/json" }) };
  return fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function makeTwin(): Promise<string> {
  const answer = await call(server, "POST", "/api/digital-twins", TWIN);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function twinsOf(one: ChildServer): Promise<string[]> {
  const answer = await call(one, "GET", "/api/digital-twins");
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }[]).map(({ id }) => id);
}

const run = (command: string[], environment: Record<string, string>) =>
  startCommand(command, environment, folder).ended;

async function until(there: () => boolean): Promise<void> {
  while (!there()) await pause(5);
}

test("a backup beside a working server loses nothing that was acknowledged, and the server answers meanwhile", async () => {
  const early = [await makeTwin(), await makeTwin()];
  const file = join(folder, "running.age");
  let over = false;
  const ended = run(["backup", file], settings).finally(() => {
    over = true;
  });
  const meanwhile: string[] = [];
  while (!over) {
    if (meanwhile.length < 20) meanwhile.push(await makeTwin());
    await pause(200);
  }
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Прочитана заново, цела") });
  expect((await readBackupState(join(folder, "data"))).last).toMatchObject({ file, verified: true });
  expect((await readdir(join(folder, "data"))).filter((name) => /^(backup-|snapshot$)/.test(name))).toEqual(
    database === null ? ["snapshot"] : [],
  );
  expect(await run(["backup", "--verify", file], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Копия цела"),
  });

  const other = common("restored");
  const restored = await run(["restore", file], other);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining("Двойники остановлены") });
  const there = await startServer({ ...other, ...TELEGRAM_LOGIN }, folder);
  onTestFinished(async () => void (await there.end("SIGKILL")));
  const found = await twinsOf(there);
  for (const id of early) expect(found).toContain(id);
  expect([...early, ...meanwhile]).toEqual(expect.arrayContaining(found));
  expect(await twinsOf(server)).toHaveLength(early.length + meanwhile.length);
});

test("a restore that was killed is refused by the server and begun anew by the command", async () => {
  await makeTwin();
  const file = join(folder, "killed.age");
  expect(await run(["backup", file], settings)).toMatchObject({ code: 0 });
  const expected = (await twinsOf(server)).sort();
  for (const sign of ["uploads.restoring", "uploads"]) {
    const other = common(`killed-${sign}`);
    const { process: child, ended } = startCommand(["restore", file], other, folder);
    await until(() => existsSync(join(other.DATA_DIR!, sign)));
    child.kill("SIGKILL");
    await ended;
    const refused = await runServer({ ...other, PORT: "0" }, folder);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("восстановление этой базы из копии не закончено"),
    });
    expect(await run(["restore", file], other)).toMatchObject({ code: 0 });
    const there = await startServer({ ...other, ...TELEGRAM_LOGIN }, folder);
    expect((await twinsOf(there)).sort(), sign).toEqual(expected);
    await there.end("SIGKILL");
  }
});

test("Ctrl-C leaves no half file, and the next backup is made", async () => {
  const file = join(folder, "ended.age");
  // Deriving the key from a passphrase takes a second or more, which leaves time to interrupt it.
  const { BACKUP_RECIPIENT: _, ...rest } = settings;
  const phrase = { ...rest, BACKUP_PASSPHRASE: "верная лошадь батарея скрепка" };
  const { process: child, ended } = startCommand(["backup", file], phrase, folder);
  await until(() => existsSync(`${file}.part`));
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stderr: "Копия не сделана: прервано\n" });
  expect((await readdir(folder)).filter((name) => name.startsWith("ended"))).toEqual([]);
  expect(await run(["backup", file], settings)).toMatchObject({ code: 0 });
});

test("a manual backup that fails reports the error to its caller, does not count as a failure of the schedule, and the schedule continues", async () => {
  const { BACKUP_RECIPIENT: _, ...without } = settings;
  const known = await readBackupState(join(folder, "data"));
  expect(known.last).not.toBeNull();
  const unlocked = await run(["backup", join(folder, "unlocked.age")], without);
  expect(unlocked).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("задайте BACKUP_PASSPHRASE или BACKUP_RECIPIENT"),
  });
  expect(existsSync(join(folder, "unlocked.age"))).toBe(false);
  const nowhere = join(folder, "data", "last-backup.json", "file.age");
  expect(await run(["backup", nowhere], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Копия не сделана: В папку .* не записать \(EEXIST\)/),
  });
  expect(await readBackupState(join(folder, "data"))).toEqual(known);
});
