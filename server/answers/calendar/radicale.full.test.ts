/** The same client with a real CalDAV server, Radicale, in an environment of its own. Skips where there is no Python or no network. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventOn } from "#server/test/actions/calendar-bench.ts";
import { busyTimes } from "./busy-times.ts";
import { eventsBetween, listCalendars, writeEvent } from "./calendars.ts";
import { eventText } from "./new-event.ts";

const VERSION = "3.9.0";
const [LOGIN, PASSWORD] = ["anna", "app-password"];
let folder = "";
let server: ChildProcess | null = null;
let url = "";

/** @returns the path of radicale; null where it cannot be had */
function install(): string | null {
  const place = join(folder, "python");
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { timeout: 120_000 }).status === 0;
  if (!run("python3", "-m", "venv", place)) return null;
  const pip = join(place, "bin/pip");
  return run(pip, "install", "--quiet", "--disable-pip-version-check", `radicale==${VERSION}`)
    ? join(place, "bin/radicale")
    : null;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-radicale-"));
  const radicale = install();
  if (radicale === null) return;
  const calendar = join(folder, "collections/collection-root", LOGIN, "work");
  await mkdir(calendar, { recursive: true });
  await writeFile(join(calendar, ".Radicale.props"), JSON.stringify({ tag: "VCALENDAR", "D:displayname": "Работа" }));
  await writeFile(join(folder, "users"), `${LOGIN}:${PASSWORD}\n`);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  const settings = [
    `--server-hosts=127.0.0.1:${port}`,
    "--auth-type=htpasswd",
    `--auth-htpasswd-filename=${join(folder, "users")}`,
    "--auth-htpasswd-encryption=plain",
    `--storage-filesystem-folder=${join(folder, "collections")}`,
  ];
  server = spawn(radicale, settings, { stdio: "ignore" });
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await pause(100);
  }
  throw new Error("radicale does not answer");
}, 180_000);
afterAll(async () => {
  server?.kill();
  if (folder !== "") await rm(folder, { recursive: true, force: true });
});

test("a real server lists its calendar, gives its events and takes one, once", async (context) => {
  context.skip(server === null, "Radicale не поставить: нет Python или сети");
  const account = { url, login: LOGIN, password: PASSWORD };
  const rules = { loopback: true, proxy: null, signal: new AbortController().signal };
  const [work, ...others] = await listCalendars(account, rules);
  expect([work, others]).toMatchObject([{ title: "Работа" }, []]);
  const day = { from: new Date("2026-12-02T00:00:00Z"), to: new Date("2026-12-03T00:00:00Z") };
  const busy = async () => {
    const texts = await eventsBetween(account, work!.url, day, rules);
    const read = { texts, from: day.from.getTime(), to: day.to.getTime(), timeZone: "Europe/Moscow" };
    const times = await busyTimes("org", read);
    return times.map(([start]) => new Date(start).toISOString().slice(11, 16));
  };
  expect(await busy()).toEqual([]);
  const weekly = eventOn("2026-11-04", "10:00", "11:00", "RRULE:FREQ=WEEKLY\r\n");
  expect(await writeEvent(account, work!.url, { name: "weekly", text: weekly }, rules)).toBe("written");
  const [start, end] = [new Date("2026-12-02T12:00:00Z"), new Date("2026-12-02T13:00:00Z")];
  const text = eventText({ uid: "act-1", start, end, title: "Запись: Иван", about: "Борода" });
  expect(await writeEvent(account, work!.url, { name: "act-1", text }, rules)).toBe("written");
  expect(await writeEvent(account, work!.url, { name: "act-1", text }, rules)).toBe("written");
  expect(await busy()).toEqual(["07:00", "12:00"]);
  await expect(listCalendars({ ...account, password: "wrong" }, rules)).rejects.toMatchObject({ kind: "auth" });
});
