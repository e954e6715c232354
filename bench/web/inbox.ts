/**
 * How soon the inbox answers a key or a press (INP) with 100,000 conversations, at a quarter of this machine's speed: an owner goes through the
 * list, opens talks, searches and changes tabs. On a server of its own, whose rows are written straight into its database.
 */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, type Page } from "@playwright/test";

const CONVERSATIONS = Number(process.env.INBOX_CONVERSATIONS ?? 100_000);
/** Four times slower than this machine. */
const SLOWDOWN = 4;
const GOAL_MS = 100;

/** For the organisation of the first twin; the server must not run. */
export function fillInbox(dataDir: string): void {
  const script = join(import.meta.dirname, "fill-inbox.ts");
  execFileSync(process.execPath, [script, dataDir, String(CONVERSATIONS)], { stdio: "inherit" });
}

/** Prints the table; the context is signed in. */
export async function measureInbox(context: BrowserContext, say: (line?: string) => void): Promise<void> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(watchInteractions);
  const devtools = await context.newCDPSession(page);
  await page.goto("/conversations");
  const rows = page.getByRole("list", { name: "Диалоги" }).getByRole("listitem");
  await expect(rows).not.toHaveCount(0, { timeout: 120_000 });
  await page.waitForTimeout(2000);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  say(`\nInbox of ${CONVERSATIONS} conversations, CPU ${SLOWDOWN} times slower, load ${loadavg()[0]!.toFixed(1)}`);
  say("| interactions | number | p50 ms | p95 ms | longest ms |");
  say("|---|---|---|---|---|");
  const all: number[] = [];
  for (const [name, act] of Object.entries(ACTS)) {
    await taken(page);
    await act(page);
    // What has begun is to be painted.
    await page.waitForTimeout(1500);
    const times = await taken(page);
    all.push(...times);
    say(rowOf(name, times));
  }
  const p95 = at(all, 0.95);
  say(rowOf(`**all** (goal: p95 ≤ ${GOAL_MS}${p95 > GOAL_MS ? ", **missed**" : ""})`, all));
  await page.close();
}

const ACTS: Record<string, (page: Page) => Promise<void>> = {
  "J and K through the list": async (page) => {
    for (let n = 0; n < 30; n++) await press(page, n < 20 ? "j" : "k");
  },
  "opening with Enter, back with Esc": async (page) => {
    for (let n = 0; n < 8; n++) {
      await press(page, "j");
      await press(page, "Enter");
      await opened(page);
      await page.waitForTimeout(500);
      await page.getByRole("log", { name: "Сообщения" }).focus();
      await press(page, "Escape");
    }
  },
  "opening with a press, one after another": async (page) => {
    const buttons = page.getByRole("button", { name: /^Открыть чат/ });
    for (let n = 0; n < 8; n++) {
      await buttons.nth(n).click();
      await opened(page);
      await page.waitForTimeout(300);
    }
    await page.getByRole("log", { name: "Сообщения" }).focus();
    await press(page, "Escape");
  },
  "typing in the search": async (page) => {
    await press(page, "/");
    for (const key of "покупатель 777") await press(page, key, 90);
    await page.waitForTimeout(2000);
    for (let n = 0; n < 3; n++) await press(page, "Backspace");
    for (const key of " привезут") await press(page, key, 90);
    await page.waitForTimeout(3000);
    await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("");
    await page.waitForTimeout(2000);
  },
  "changing tabs": async (page) => {
    for (const name of ["Ведёт двойник", "Веду я", "Закрыты", "Все", "Ждут одобрения", "Все"]) {
      await page.getByRole("tab", { name }).first().click();
      await page.waitForTimeout(800);
    }
  },
};

/** Until the messages of a conversation stand there. */
const opened = (page: Page) =>
  page.getByRole("log", { name: "Сообщения" }).getByRole("listitem").first().waitFor({ timeout: 60_000 });

/** A key as a person presses it, and the time until the next one. */
async function press(page: Page, key: string, then = 120) {
  if (/^[а-яё]$/.test(key)) await pressCyrillic(page, key);
  else await page.keyboard.press(key);
  await page.waitForTimeout(then);
}

/** Playwright's keyboard knows the American layout alone. */
async function pressCyrillic(page: Page, key: string) {
  const session = await page.context().newCDPSession(page);
  await session.send("Input.dispatchKeyEvent", { type: "keyDown", key, text: key, unmodifiedText: key });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  await session.detach();
}

/** Keeps, in the page, the longest event of each interaction (Event Timing). */
function watchInteractions() {
  const longest = new Map<number, number>();
  Object.assign(window, { interactions: longest });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[]) {
      const { interactionId = 0, duration } = entry;
      if (interactionId > 0) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** The durations since the last call, ms; an interaction that was faster than 16 ms is not among them. */
async function taken(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { interactions } = window as unknown as { interactions: Map<number, number> };
    const times = [...interactions.values()];
    interactions.clear();
    return times;
  });
}

const at = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

const rowOf = (name: string, times: readonly number[]) =>
  `| ${name} | ${times.length} | ${at(times, 0.5)} | ${at(times, 0.95)} | ${at(times, 1)} |`;
