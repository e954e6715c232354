/**
 * PostgreSQL's disk fills, a real small one: what is acknowledged is answered, the rest is refused, the server says why within seconds, and
 * all goes on when there is room again. Needs PostgreSQL and the right to mount a tmpfs; elsewhere it is skipped with a word.
 */
import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { WidgetConversation } from "#contract/integrations/widget.ts";
import { onServer } from "./test/database.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "./test/processes/killable-server.ts";
import { type OwnPostgres, startOwnPostgres } from "./test/processes/own-postgres.ts";

const DISK_MB = 300;
// Not TMPDIR: PostgreSQL's user may have no way into it.
const disk = mkdtempSync("/tmp/dt-postgres-disk-");
const ballast = join(disk, "ballast");
const mounted = "path" in inject("databaseSnapshot") ? false : canMount();

function canMount(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0777`, "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let postgres: OwnPostgres;
let server: KillableServer;
let widgetId: string;
beforeAll(async () => {
  if (!mounted) return;
  postgres = await startOwnPostgres();
  const place = join(disk, "tables");
  // Its owner is the user that PostgreSQL runs as.
  execFileSync("install", ["-d", "-m", "700", "-o", "postgres", place]);
  await onServer(postgres.url, `create tablespace small location '${place}'`);
  await onServer(postgres.url, "create database twins tablespace small");
  const url = new URL(postgres.url);
  url.pathname = "/twins";
  vi.stubEnv("KILLED_DATABASE_URL", url.href);
  server = await startKillableServer({}).finally(() => vi.unstubAllEnvs());
  const digitalTwinId = await server.twin();
  const content = "Доставка по Москве стоит 350 рублей. Возврат возможен в течение 14 дней.";
  const document = { digitalTwinId, name: "Доставка", type: "faq", tags: [], status: "processed", content };
  await server.call("POST", "/api/knowledge/upload", document);
  const isReady = async () =>
    expect((await server.call("GET", `/api/digital-twins/${digitalTwinId}`)).status).toBe("ready");
  await vi.waitFor(isReady, { timeout: 180_000, interval: 500 });
  const widget = { enabled: true, allowedSites: ["https://shop.example.test"], title: "Спросите нас" };
  const look = { greeting: "Здравствуйте!", color: "#0f5f63", autonomy: "auto", dailyMessages: 1000 };
  widgetId = (await server.call("PUT", `/api/digital-twins/${digitalTwinId}/widget`, { ...widget, ...look })).id;
}, SERVER_START_MS + 260_000);
afterAll(async () => {
  await server?.close();
  await postgres?.stop();
  if (mounted) execFileSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true, force: true });
});

async function say() {
  const visitor = { "x-visitor": randomBytes(32).toString("base64url"), "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${server.url()}/widget/${widgetId}/messages`, {
    method: "POST",
    headers: { ...visitor, "content-type": "application/json" },
    body: JSON.stringify({ id: randomUUID(), text: "Сколько стоит доставка по Москве?" }),
  });
  return { visitor, status: answer.status, body: await answer.text() };
}
type Said = Awaited<ReturnType<typeof say>>;

const answersTo = async ({ visitor }: Said): Promise<number> => {
  const answer = await fetch(`${server.url()}/widget/${widgetId}/talk?after=0`, { headers: visitor });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as WidgetConversation).lines.filter(({ from }) => from === "twin").length;
};
const ready = async () => {
  const answer = await fetch(`${server.url()}/readyz`);
  return { status: answer.status, checks: ((await answer.json()) as { checks?: string[] }).checks };
};

test.skipIf(!mounted)(
  "PostgreSQL's disk fills under load and is freed again",
  async () => {
    const said: Said[] = [await say(), await say()];
    const { bsize, bavail } = statfsSync(disk);
    execFileSync("fallocate", ["-l", String(bsize * bavail), ballast]);
    const filled = performance.now();
    for (let count = 0; count < 12; count++) said.push(await say());
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 503, checks: ["writing"] });
    const noticed = (performance.now() - filled) / 1000;
    for (let count = 0; count < 4; count++) said.push(await say());
    const acknowledged = said.filter(({ status }) => status === 200);
    const refused = said.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { status, body } of refused)
      expect([status, JSON.parse(body).code], body).toEqual([503, "cannot_write"]);
    rmSync(ballast);
    const freed = performance.now();
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 200 });
    process.stdout.write(
      `PostgreSQL's full disk: ${acknowledged.length} acknowledged, ${refused.length} refused, ` +
        `noticed after ${noticed.toFixed(1)} s, over after ${((performance.now() - freed) / 1000).toFixed(1)} s\n`,
    );
    for (const one of acknowledged)
      await expect.poll(() => answersTo(one), { timeout: 120_000, interval: 1000 }).toBe(1);
    for (const one of refused) expect(await answersTo(one)).toBe(0);
    const later = await say();
    expect(later.status, later.body).toBe(200);
    await expect.poll(() => answersTo(later), { timeout: 60_000, interval: 1000 }).toBe(1);
  },
  500_000,
);
