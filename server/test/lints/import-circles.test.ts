import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const FOLDERS = ["contract", "server", "web", "e2e", "bench", "packages"];
/** Types count as well: two files that need each other's types are read and moved together, as those that need each other's values. */
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.replaceAll(sep, "/")}`),
);

function importsOf(file: string, code = readFileSync(join(ROOT, file), "utf8")): string[] {
  return [...code.matchAll(IMPORT)].flatMap(([, whole, lazy]) => {
    const specifier = whole ?? lazy!;
    if (specifier.startsWith("#")) return specifier.slice(1);
    if (!specifier.startsWith(".")) return [];
    return relative(ROOT, resolve(ROOT, dirname(file), specifier)).replaceAll(sep, "/");
  });
}

/** The first way back to where it began, or null. */
function circleIn(arrows: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    way.push(file);
    for (const next of arrows.get(file) ?? []) {
      const found = visit(next);
      if (found !== null) return found;
    }
    way.pop();
    done.add(file);
    return null;
  };
  for (const file of arrows.keys()) {
    const found = visit(file);
    if (found !== null) return found;
  }
  return null;
}

test("an import cycle of any length is found", () => {
  const arrows = { "a.ts": ["b.ts"], "b.ts": ["c.ts", "d.ts"], "c.ts": [], "d.ts": ["b.ts"] };
  expect(circleIn(new Map(Object.entries(arrows)))).toEqual(["b.ts", "d.ts", "b.ts"]);
});

test("imports of types, of values and of what is loaded later are all counted", () => {
  const code = [
    'import type { One } from "./one.ts";',
    'import { type Two } from "#server/two.ts";',
    'import "../three.ts";',
    'export type { Four } from "./four.ts";',
    'const five = () => import("./five.ts");',
    'import { z } from "zod";',
  ].join("\n");
  expect(importsOf("server/folder/file.ts", code)).toEqual([
    "server/folder/one.ts",
    "server/two.ts",
    "server/three.ts",
    "server/folder/four.ts",
    "server/folder/five.ts",
  ]);
});

test("no file imports itself by way of others, so that each can be read and moved without them", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(circleIn(new Map(files.map((file) => [file, importsOf(file)])))).toBeNull();
});

/** Sources below which a folder is small enough to be read whole. */
const BIG = 20;

/** Which rooms of a folder import which; a room is a subfolder with all that is in it, or a file beside the subfolders. */
function roomsOf(folder: string, arrows: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const roomOf = (file: string): string => file.slice(folder.length + 1).split("/")[0]!;
  const inside = [...arrows.keys()].filter((file) => file.startsWith(`${folder}/`));
  const rooms = new Map(inside.map((file) => [roomOf(file), new Set<string>()]));
  for (const file of inside)
    for (const target of arrows.get(file)!)
      if (target.startsWith(`${folder}/`) && roomOf(target) !== roomOf(file))
        rooms.get(roomOf(file))!.add(roomOf(target));
  return new Map([...rooms].map(([room, others]) => [room, [...others]]));
}

test("subfolders that import each other are a circle, also where no file imports itself", () => {
  const arrows = { "a/one/x.ts": ["a/two/y.ts"], "a/one/z.ts": [], "a/two/y.ts": [], "a/two/w.ts": ["a/one/z.ts"] };
  const all = new Map(Object.entries(arrows));
  expect(circleIn(all)).toBeNull();
  expect(circleIn(roomsOf("a", all))).toEqual(["one", "two", "one"]);
});

test("the rooms of a big folder stand in an order, so that each can be read with those before it alone", () => {
  const arrows = new Map(
    files
      .filter((file) => /^(?:server|contract|web)\//.test(file) && !/^(?:server|web)\/test\//.test(file))
      .map((file) => [file, importsOf(file)]),
  );
  const folders = new Set([...arrows.keys()].flatMap((file) => foldersAbove(file)));
  const big = [...folders].filter(
    (folder) => [...arrows.keys()].filter((file) => file.startsWith(`${folder}/`)).length > BIG,
  );
  expect(big.length).toBeGreaterThan(10);
  const circles = big.flatMap((folder) => {
    const rooms = [...roomsOf(folder, arrows)];
    // Files of the web that stand beside subfolders are parts of one another: a button shows a spinner, a toast has a button.
    const counted = rooms.filter(([room]) => !folder.startsWith("web") || !room.includes("."));
    const circle = circleIn(new Map(counted));
    return circle === null ? [] : [`${folder}: ${circle.join(" → ")}`];
  });
  expect(circles).toEqual([]);
});

/** «a/b» and «a» of «a/b/file.ts». */
function foldersAbove(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

test("no folder of the server is too full to be read at a glance", () => {
  const sizes = new Map<string, number>();
  for (const file of readdirSync(join(ROOT, "server"), { recursive: true, withFileTypes: true })) {
    const folder = relative(ROOT, file.parentPath).replaceAll(sep, "/");
    if (file.isFile() && file.name.endsWith(".ts")) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  expect([...sizes].filter(([, count]) => count > 25)).toEqual([]);
});
