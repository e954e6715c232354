import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const IMPORT = /(?:^|\n)\s*(?:import|export)\s([^"';]*?\sfrom\s+)?"([^"]+)"/g;

const files = ["contract", "server", "web"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.replaceAll(sep, "/")}`),
);

/** Types alone are gone when the program runs. */
function isTypesOnly(clause: string): boolean {
  if (clause.startsWith("type ")) return true;
  const names = /\{([^}]*)\}/.exec(clause)?.[1];
  const parts = names?.split(",").flatMap((name) => name.trim() || []) ?? [];
  return parts.length > 0 && clause.trimStart().startsWith("{") && parts.every((name) => name.startsWith("type "));
}

function importsOf(file: string): string[] {
  const code = readFileSync(join(ROOT, file), "utf8");
  return [...code.matchAll(IMPORT)].flatMap(([, clause = "", specifier]) => {
    if (isTypesOnly(clause)) return [];
    if (specifier!.startsWith("#")) return specifier!.slice(1);
    if (!specifier!.startsWith(".")) return [];
    return relative(ROOT, resolve(ROOT, dirname(file), specifier!)).replaceAll(sep, "/");
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

test("the server has no import cycles, whose effect would depend on which file is loaded first", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(circleIn(new Map(files.map((file) => [file, importsOf(file)])))).toBeNull();
});
