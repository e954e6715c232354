/** Which screens a change makes stale is said in the contract, and nowhere else. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { INBOX_TAGS, WHOLE_INBOX } from "#contract/conversations/live.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { ENDED } from "#contract/tags.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file);
const web = readdirSync(join(ROOT, "web"), { recursive: true, encoding: "utf8" })
  .filter(isSource)
  .map((file) => ({ file: file.replaceAll(sep, "/"), code: readFileSync(join(ROOT, "web", file), "utf8") }));

interface Declared {
  /** «twinsApi» */
  table: string;
  name: string;
  endpoint: Endpoint;
}
let declared: Declared[];
beforeAll(async () => {
  const files = readdirSync(join(ROOT, "contract"), { recursive: true, encoding: "utf8" }).filter(isSource);
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(ROOT, "contract", file))),
  );
  declared = modules.flatMap((module) =>
    Object.entries(module)
      .filter(([table]) => table.endsWith("Api"))
      .flatMap(([table, endpoints]) =>
        Object.entries(endpoints as Record<string, Endpoint>).map(([name, endpoint]) => ({ table, name, endpoint })),
      ),
  );
});

const keyOf = ({ endpoint: { method, path } }: Declared) => `${method} ${path}`;
const listed = ({ endpoint: { refreshes } }: Declared) => (typeof refreshes === "string" ? [] : (refreshes ?? []));

test("every change says what it makes stale, or that nothing shown changes", () => {
  const changes = declared.filter(({ endpoint }) => endpoint.method !== "GET");
  expect(changes.length).toBeGreaterThan(120);
  const silent = changes.filter(({ endpoint: { refreshes } }) =>
    typeof refreshes === "string" ? !["nothing", "session", "piece"].includes(refreshes) : !(refreshes?.length > 0),
  );
  expect(silent.map(keyOf)).toEqual([]);
});

test("each tag is shown by a read and made stale by a change, work that has ended or news", () => {
  const shown = new Set(declared.flatMap(({ endpoint }) => [...endpoint.tags]));
  const news = Object.values(INBOX_TAGS).flatMap(({ everywhere, there }) => [...everywhere, ...there]);
  // Left by the screen of an account's notices.
  const byHand = ["notices"];
  const stale = new Set([
    ...declared.flatMap(listed),
    ...Object.values(ENDED).flat(),
    ...news,
    ...WHOLE_INBOX,
    ...byHand,
  ]);
  expect([...stale].filter((tag) => !shown.has(tag as never))).toEqual([]);
  expect([...shown].filter((tag) => !stale.has(tag))).toEqual([]);
});

test("what a read with tags shows, a query of the web reads", () => {
  const unread = declared
    .filter(({ endpoint }) => endpoint.tags.length > 0)
    .filter(
      ({ table, name }) =>
        !web.some(({ code }) => {
          const alias = new RegExp(`\\b${table} as (\\w+)`).exec(code)?.[1] ?? table;
          return (
            new RegExp(`\\b${alias}\\.${name}\\b`).test(code) ||
            new RegExp(`\\b${name}\\b[^\\n]*\\} = ${table}`).test(code)
          );
        }),
    );
  expect(unread.map(keyOf)).toEqual([]);
});

test("every screen refreshes queries through tags, and a query with its own key declares what it shows", () => {
  const byHand = web.filter(({ file, code }) => file !== "api/refresh.ts" && code.includes("invalidateQueries"));
  expect(byHand.map(({ file }) => file)).toEqual([]);
  const untold = web.filter(
    ({ code }) => /^\s*queryKey:[^\n]*queryKeyOf\(/m.test(code) && !code.includes("cacheOptionsFor("),
  );
  expect(untold.map(({ file }) => file)).toEqual([]);
});
