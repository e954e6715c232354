import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const WEB = resolve(import.meta.dirname, "../../../web");
/**
 * Each place may import what stands before it, and its own. What is not named here is a feature: the screens of one route, and the
 * chat on owners' sites. `parts` is what several features show of one subject; files of the root that are not named last (addresses,
 * texts, fixed figures) stand first.
 */
const BEFORE_FEATURES = ["(root)", "i18n", "files", "api", "ui", "session", "parts", "shell"];
/** They know every feature. */
const LAST = ["main.tsx", "routes.tsx", "screens.ts"];
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

const files = readdirSync(WEB, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(sep, "/"))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file) && !file.startsWith("test/"));

function importsOf(file: string): string[] {
  const code = readFileSync(join(WEB, file), "utf8");
  return [...code.matchAll(IMPORT)].flatMap((match) => {
    const specifier = match[1] ?? match[2]!;
    if (specifier.startsWith("#web/")) return specifier.slice("#web/".length);
    if (!specifier.startsWith(".")) return [];
    const target = relative(WEB, resolve(WEB, dirname(file), specifier)).replaceAll(sep, "/");
    return target.startsWith("..") ? [] : target;
  });
}

const placeOf = (file: string): string => (file.includes("/") ? file.split("/")[0]! : "(root)");

/** The landing page's own way in: drawn at build, as main.tsx draws the application. */
const rankOf = (file: string): number => {
  if (LAST.includes(file)) return Number.POSITIVE_INFINITY;
  const place = BEFORE_FEATURES.indexOf(placeOf(file));
  return place < 0 ? BEFORE_FEATURES.length : place;
};

test("a feature of the web imports what all share, and nothing of another feature", () => {
  expect(files.length).toBeGreaterThan(500);
  const breaches = files.flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const own = placeOf(file) === placeOf(target) && !LAST.includes(target);
      return own || LAST.includes(file) || rankOf(target) < rankOf(file) ? [] : [`${file} imports ${target}`];
    }),
  );
  expect(breaches).toEqual([]);
});

test("what several features show is parted by subject, and the subjects stand in an order", () => {
  const subjectOf = (file: string) => (file.startsWith("parts/") ? file.split("/")[1]! : null);
  const uses = new Map<string, Set<string>>();
  for (const file of files) {
    const subject = subjectOf(file);
    if (subject === null) continue;
    const known = uses.get(subject) ?? new Set();
    for (const target of importsOf(file)) {
      const other = subjectOf(target);
      if (other !== null && other !== subject) known.add(other);
    }
    uses.set(subject, known);
  }
  const placed = new Set<string>();
  for (let before = -1; before !== placed.size; ) {
    before = placed.size;
    for (const [subject, known] of uses) if ([...known].every((other) => placed.has(other))) placed.add(subject);
  }
  // What is left needs itself by way of others.
  expect([...uses.keys()].filter((subject) => !placed.has(subject))).toEqual([]);
});

test("a part is there because two features or the shell need it", () => {
  const users = new Map<string, Set<string>>();
  for (const file of files) {
    for (const target of importsOf(file)) {
      const part = /^parts\/[^/]+/.exec(target)?.[0];
      if (part === undefined || file.startsWith(`${part}/`)) continue;
      const user = file.startsWith("parts/") ? /^parts\/[^/]+/.exec(file)![0] : placeOf(file);
      users.set(part, (users.get(part) ?? new Set()).add(user));
    }
  }
  const lonely = [...users]
    .filter(([, by]) => by.size < 2 && !by.has("shell"))
    .map(([part, by]) => `${part} for ${[...by]}`);
  expect(lonely).toEqual([]);
});

test("no folder of the web is too full to be read at a glance", () => {
  const sizes = new Map<string, number>();
  for (const file of readdirSync(WEB, { recursive: true, withFileTypes: true }))
    if (file.isFile()) sizes.set(file.parentPath, (sizes.get(file.parentPath) ?? 0) + 1);
  expect([...sizes].filter(([, count]) => count > 25)).toEqual([]);
});
