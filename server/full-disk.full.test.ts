/**
 * A real small disk that fills under a running server with its embedded database: what is acknowledged is stored and answered, the rest is
 * refused with a sentence, the server says why, a start on the full disk waits, and all goes on when there is room again.
 * Needs the right to mount a tmpfs, and 1.3 GB of memory for it; elsewhere it is skipped with a word.
 */
import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { WidgetConversation } from "#contract/integrations/widget.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "./test/processes/killable-server.ts";

const MB = 2 ** 20;
/** Uploads leave a gigabyte free. */
const DISK_MB = 1300;
const MESSAGES = 40;

const disk = mkdtempSync(join(tmpdir(), "dt-small-disk-"));
const mounted = canMount();
let server: KillableServer;
let widgetId: string;

function canMount(): boolean {
  if (!("path" in inject("databaseSnapshot"))) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const onSmallDisk = test.skipIf(!mounted);
const free = (): number => {
  const { bsize, bavail } = statfsSync(disk);
  return bsize * bavail;
};
const ballast = join(disk, "ballast");
/** Fills the disk with something else until so much is left. */
function leave(bytes: number): void {
  const held = existsSync(ballast) ? statSync(ballast).size : 0;
  execFileSync("fallocate", ["-l", String(held + Math.max(0, free() - bytes)), ballast]);
}

beforeAll(async () => {
  if (!mounted) return;
  server = await startKillableServer({}, join(disk, "data"));
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
}, SERVER_START_MS + 200_000);
afterAll(async () => {
  await server?.close();
  if (mounted) execFileSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true, force: true });
});

interface Said {
  visitor: Record<string, string>;
  status: number;
  body: string;
  retryAfter: string | null;
}

async function say(): Promise<Said> {
  const visitor = { "x-visitor": randomBytes(32).toString("base64url"), "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${server.url()}/widget/${widgetId}/messages`, {
    method: "POST",
    headers: { ...visitor, "content-type": "application/json" },
    body: JSON.stringify({ id: randomUUID(), text: "Сколько стоит доставка по Москве?" }),
  });
  return { visitor, status: answer.status, body: await answer.text(), retryAfter: answer.headers.get("retry-after") };
}

const answersTo = async ({ visitor }: Said): Promise<number> => {
  const answer = await fetch(`${server.url()}/widget/${widgetId}/talk?after=0`, { headers: visitor });
  return ((await answer.json()) as WidgetConversation).lines.filter(({ from }) => from === "twin").length;
};
const ready = async () => {
  const answer = await fetch(`${server.url()}/readyz`);
  return { status: answer.status, checks: ((await answer.json()) as { checks?: string[] }).checks };
};

onSmallDisk(
  "a disk that fills under load: what was acknowledged is answered, the rest refused, and the server says why",
  async () => {
    // Each address has a limit of its own, so the messages come in turns.
    const said: Said[] = [];
    const writing = (async () => {
      for (let count = 0; count < MESSAGES; count++) {
        if (count === 10) leave(100 * MB);
        said.push(await say());
      }
    })();
    await writing;
    const acknowledged = said.filter(({ status }) => status === 200);
    const limited = said.filter(({ status }) => status === 429);
    const refused = said.filter(({ status }) => status !== 200 && status !== 429);
    expect(acknowledged.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, retryAfter } of refused) {
      expect([status, retryAfter], body).toEqual([503, "30"]);
      expect(body).toContain("кончилось место");
    }
    expect(await ready()).toMatchObject({ status: 503, checks: expect.arrayContaining(["writing"]) });
    process.stdout.write(
      `full disk: ${acknowledged.length} acknowledged, ${refused.length} refused, ${limited.length} limited\n`,
    );

    // Killed on the full disk, it loses nothing that it has acknowledged, and its start waits where there is no room at all.
    leave(10 * MB);
    await server.kill();
    const starting = server.start();
    await expect.poll(() => server.printed(), { timeout: 60_000 }).toContain("Освободите место");
    rmSync(ballast);
    await starting;
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 200 });
    for (const one of acknowledged) await expect.poll(() => answersTo(one), { timeout: 60_000 }).toBe(1);
    for (const one of refused) expect(await answersTo(one)).toBe(0);
    expect((await say()).status).toBe(200);
  },
  600_000,
);

onSmallDisk(
  "a disk that was full for a while: everything goes on by itself without a restart",
  async () => {
    leave(100 * MB);
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 503 });
    expect((await say()).status).toBe(503);
    expect(existsSync(ballast)).toBe(true);
    rmSync(ballast);
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 200 });
    const later = await say();
    expect(later.status, later.body).toBe(200);
    await expect.poll(() => answersTo(later), { timeout: 60_000 }).toBe(1);
  },
  300_000,
);
