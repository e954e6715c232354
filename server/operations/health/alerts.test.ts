import { hostname } from "node:os";
import { expect, test } from "vitest";
import { readConfig } from "#server/platform/config.ts";
import { alerts as alertRows } from "#server/platform/db/schema/operations.ts";
import { openTestDatabase } from "#server/test/database.ts";
import {
  database,
  dataDir,
  FULL_DISK,
  GB,
  MINUTE,
  prepareAlerts,
  START,
  smtp,
  subjects,
  telegram,
  watching,
} from "#server/test/health/alerts-bench.ts";
import { createFactsReader } from "./facts.ts";

prepareAlerts();

const TOKEN = "77:token-of-the-alerting-bot-0123456789";
const HOUR = 60 * MINUTE;
/** Runs a check each minute from one minute to another, both included. */
async function lookFor(look: (now: Date) => Promise<void>, from: number, to: number): Promise<void> {
  for (let minute = from; minute <= to; minute++) await look(new Date(START + minute * MINUTE));
}

test("a failure that lasts is told once, with what to do and where to look, and so is its end", async () => {
  const { look, find } = watching();
  await lookFor(look, 0, 2);
  expect(subjects()).toEqual([]);
  find(FULL_DISK);
  await lookFor(look, 3, 30);
  expect(subjects()).toEqual(["Сбой: диск"]);
  const [letter] = smtp.letters;
  expect(letter!.to).toMatchObject({ text: "chief@example.test" });
  expect(letter!.text).toContain("Сбой. Диск: места почти нет, загрузки не принимаются.");
  expect(letter!.text).toContain(`Сервер ${hostname()}. Замечено 24.11, 09:03 по московскому времени.`);
  expect(letter!.text).toContain("Освободите место на диске с данными");
  expect(letter!.text).toContain("https://twins.example/platform-health");
  find({});
  await lookFor(look, 31, 60);
  expect(subjects()).toEqual(["Сбой: диск", "Исправлено: диск"]);
  expect(smtp.letters[1]!.text).toContain("Исправлено. Диск: места достаточно.");
  expect(await database.db.select().from(alertRows)).toEqual([]);
});

test("what passes within a minute is not told", async () => {
  const { look, find } = watching();
  find(FULL_DISK);
  await look(new Date(START));
  find({});
  await lookFor(look, 1, 20);
  expect(smtp.letters).toEqual([]);
});

test("a warning is reported after ten minutes, and again when it gets worse", async () => {
  const { look, find } = watching();
  find({ channels: [{ platform: "telegram", state: "error", count: 1 }] });
  await lookFor(look, 0, 9);
  expect(smtp.letters).toEqual([]);
  await lookFor(look, 10, 20);
  expect(subjects()).toEqual(["Внимание: каналы"]);
  expect(smtp.letters[0]!.text).not.toContain(hostname());
  find({ disk: { totalBytes: 100 * GB, freeBytes: 8 * GB } });
  await lookFor(look, 21, 40);
  find(FULL_DISK);
  await lookFor(look, 41, 50);
  expect(subjects()).toEqual(["Внимание: каналы", "Исправлено: каналы", "Внимание: диск", "Сбой: диск"]);
});

test("a restarted process tells nothing again, and tells the end of what the former one has told", async () => {
  const former = watching();
  former.find(FULL_DISK);
  await lookFor(former.look, 0, 5);
  const next = watching();
  next.find(FULL_DISK);
  await lookFor(next.look, 6, 20);
  expect(subjects()).toEqual(["Сбой: диск"]);
  next.find({});
  await lookFor(next.look, 21, 30);
  expect(subjects()).toEqual(["Сбой: диск", "Исправлено: диск"]);
});

test("of several processes with one database only one tells, and one that is well does not end another's problem", async () => {
  const all = [watching(), watching(), watching()];
  all[0]!.find(FULL_DISK);
  all[1]!.find(FULL_DISK);
  for (let minute = 0; minute <= 20; minute++) {
    await Promise.all(all.map(({ look }) => look(new Date(START + minute * MINUTE))));
  }
  expect(subjects()).toEqual(["Сбой: диск"]);
});

test("a database that is away is told once from memory, and its return and what was told meanwhile once it is back", async () => {
  const { look, find } = watching();
  await look(new Date(START));
  find({ databaseMs: null, queues: null, channels: null, processes: null, backups: null, ...FULL_DISK });
  await lookFor(look, 1, 60);
  expect(subjects()).toEqual(["Сбой: база данных, диск"]);
  find(FULL_DISK);
  await lookFor(look, 61, 80);
  expect(subjects()).toEqual(["Сбой: база данных, диск", "Исправлено: база данных"]);
  const next = watching();
  next.find(FULL_DISK);
  await lookFor(next.look, 81, 90);
  expect(smtp.letters).toHaveLength(2);
});

test("a database that is really unavailable is reported without errors in the checks themselves", async () => {
  const gone = await openTestDatabase();
  const config = readConfig({ DATA_DIR: dataDir });
  const facts = createFactsReader({
    config,
    db: gone.db,
    disk: { measure: async () => ({ totalBytes: 100 * GB, freeBytes: 50 * GB }) },
    writing: { obstacle: null },
    reached: { letters: null },
    files: { check: async () => {} },
  });
  await gone.close();
  const { look } = watching({ facts, db: gone.db });
  await lookFor(look, 0, 6);
  expect(subjects()).toEqual(["Сбой: база данных"]);
});

test("a full disk of the database is reported once from memory, and so is its end, although nothing can be stored", async () => {
  const noted: unknown[] = [];
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  let isFull = true;
  const db = new Proxy(database.db, {
    get: (target, key) => (isFull && key === "transaction" ? () => Promise.reject(full) : Reflect.get(target, key)),
  });
  const { look, find } = watching({ db, writing: { note: (error) => void noted.push(error) } });
  // The first check does not know yet: what it fails to store tells the guard.
  await look(new Date(START));
  expect(noted).toEqual([full]);
  find({ unwritable: "database" });
  await lookFor(look, 1, 60);
  expect(subjects()).toEqual(["Сбой: база данных"]);
  expect(smtp.letters[0]!.text).toContain("База данных: писать нельзя: на её диске кончилось место.");
  expect(await database.db.select().from(alertRows)).toEqual([]);
  find({});
  isFull = false;
  await lookFor(look, 61, 70);
  expect(subjects()).toEqual(["Сбой: база данных", "Исправлено: база данных"]);
  expect(noted).toHaveLength(1);
});

test("backups that were never set up cause no alert, and a failed one does", async () => {
  const { look, find } = watching();
  find({ backups: { last: null, failure: null } });
  await lookFor(look, 0, 60);
  expect(subjects()).toEqual([]);
  find({ backups: { last: null, failure: { at: new Date(), host: "one", reason: "На диске нет места" } } });
  await lookFor(look, 61, 70);
  expect(subjects()).toEqual(["Сбой: резервная копия"]);
});

test("an alert that reached no recipient is sent again", async () => {
  const { look, find } = watching();
  find(FULL_DISK);
  smtp.refuses = "letter";
  await lookFor(look, 0, 10);
  smtp.refuses = null;
  await lookFor(look, 11, 20);
  expect(subjects()).toEqual(["Сбой: диск"]);
});

test("alerts go to Telegram too, and a bot that is refused does not keep the letter back", async () => {
  const settings = {
    ALERT_EMAIL: "chief@example.test",
    ALERT_TELEGRAM_TOKEN: TOKEN,
    ALERT_TELEGRAM_CHAT: "-100500",
  };
  const { look, find } = watching({ settings });
  find({ stuck: ["run-import"], queues: [{ name: "run-import", waiting: 3, running: 0, oldestMs: 2 * HOUR }] });
  await lookFor(look, 0, 5);
  expect(telegram.sent).toHaveLength(1);
  expect(telegram.sent[0]).toMatchObject({ token: TOKEN, chatId: "-100500" });
  expect(telegram.sent[0]!.text).toContain("<b>Сбой: очереди заданий</b>");
  expect(telegram.sent[0]!.text).toContain("Очереди заданий: стоят: импорт выгрузок.");
  expect(subjects()).toEqual(["Сбой: очереди заданий"]);
  telegram.revoked.add(TOKEN);
  find({});
  await lookFor(look, 6, 20);
  expect(subjects()).toEqual(["Сбой: очереди заданий", "Исправлено: очереди заданий"]);
});
