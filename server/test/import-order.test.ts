import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const SERVER = resolve(import.meta.dirname, "..");
/** Each place may import what stands before it, and its own. */
const ORDER = [
  ["public-address", "permissions-policy", "secret-forms", "seeded-random"],
  ["errors", "log", "config", "vault"],
  ["loop-watch", "thread-pool", "sandbox", "disk", "stored-files"],
  ["foreign-text"],
  ["db"],
  ["jobs", "idempotency", "readiness", "fair-turns"],
  ["http", "json-body", "slow-bodies"],
  ["auth"],
  ["organizations", "contact"],
  ["twins"],
  ["knowledge"],
  ["models", "language"],
  ["output-guard"],
  ["search", "style"],
  ["fidelity", "open-replies"],
  ["corrections"],
  ["replies"],
  ["training"],
  ["facts"],
  ["webhooks"],
  ["conversations"],
  ["channels"],
  ["api-keys", "widget", "offboarding"],
  ["imports"],
  ["analytics"],
  ["records"],
  ["services", "start-failure"],
  ["seed-demo-inbox"],
  ["seed-demo", "workers", "openapi"],
  ["housekeeping", "landing-page"],
  ["app"],
  ["serve"],
  ["main", "rotate-master-key"],
];
const RANK = new Map(ORDER.flatMap((places, rank) => places.map((place) => [place, rank] as const)));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.endsWith(".test.ts") && !file.startsWith(`test${sep}`),
);

function importsOf(file: string): string[] {
  const code = readFileSync(join(SERVER, file), "utf8");
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
}

/** «engine» of `replies/reply.ts`, «app» of `app.ts`. */
const placeOf = (file: string): string => file.split(sep)[0]!.replace(/\.ts$/, "");

test("each place in the server imports only what stands left of it", () => {
  const breaches: string[] = [];
  for (const file of files) {
    const from = placeOf(file);
    const rank = RANK.get(from);
    expect(rank, `${from} has no place in the order`).toBeDefined();
    for (const specifier of importsOf(file)) {
      const target = specifier.startsWith("#server/")
        ? specifier.slice("#server/".length)
        : specifier.startsWith(".")
          ? relative(SERVER, resolve(SERVER, dirname(file), specifier))
          : null;
      if (target === null || target.startsWith("..")) continue;
      const to = placeOf(target);
      const allowed = to === from || (RANK.get(to) ?? Number.POSITIVE_INFINITY) < rank!;
      if (!allowed) breaches.push(`${file} imports ${target}`);
    }
  }
  expect(breaches).toEqual([]);
});

test("the server knows nothing of the web, and the contract knows nobody", () => {
  expect(files.filter((file) => importsOf(file).some((specifier) => /^#web\/|\/web\//.test(specifier)))).toEqual([]);
  const contract = resolve(SERVER, "../contract");
  const strangers = readdirSync(contract)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(join(contract, file), "utf8").matchAll(IMPORT)].map((match) => match[1] ?? match[2]!),
    )
    .filter((specifier) => specifier !== "zod/mini" && !specifier.startsWith("./"));
  expect(strangers).toEqual([]);
});
