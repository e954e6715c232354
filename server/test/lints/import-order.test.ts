import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const SERVER = resolve(import.meta.dirname, "../..");
/** The names that a README lists behind a label; the list may go on in the next line. */
function namesIn(folder: string, label: string): string[] {
  const text = readFileSync(join(SERVER, folder, "README.md"), "utf8");
  const list = new RegExp(`^${label}, in order: ([a-z \\n-]+)$`, "m").exec(text)?.[1];
  expect(list, `${folder || "server"}/README.md says «${label}, in order: …»`).toBeDefined();
  return list!.trim().split(/\s+/);
}
const WINGS = namesIn("", "Wings");
/** Subfolders of rooms that a wing's README opens to the other rooms: «platform/db/schema». */
const OPEN_FOLDERS = WINGS.flatMap((wing) => {
  const text = readFileSync(join(SERVER, wing, "README.md"), "utf8");
  const list = /^Open folders: ([a-z /\n-]+)\.$/m.exec(text)?.[1] ?? "";
  return list.split(/\s+/).flatMap((folder) => (folder === "" ? [] : [`${wing}/${folder}`]));
});
const BESIDE = namesIn("", "Beside them");
/** «platform/db», «accounts/auth» … «app», «serve»: each place may import what stands before it, and its own files. */
const ORDER = [...WINGS.flatMap((wing) => namesIn(wing, "Rooms").map((room) => `${wing}/${room}`)), ...BESIDE];
const RANK = new Map(ORDER.map((place, rank) => [place, rank] as const));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.endsWith(".test.ts") && !file.startsWith(`test${sep}`),
);

const importsIn = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);

const importsOf = (file: string): string[] => importsIn(join(SERVER, file));

/** The part of the server that a file belongs to: «answers/replies» for `answers/replies/planning/decide.ts`, «app» for `app.ts`. */
function placeOf(file: string): string {
  const [top, room] = file.replaceAll(sep, "/").replace(/\.ts$/, "").split("/");
  return WINGS.includes(top!) ? `${top}/${room}` : top!;
}

test("every wing, room and file of the server stands in the order, and the order names nothing else", () => {
  const places = new Set(files.map(placeOf));
  expect([...places].filter((place) => !RANK.has(place))).toEqual([]);
  expect(ORDER.filter((place) => !places.has(place))).toEqual([]);
  expect(ORDER.filter((place, at) => ORDER.indexOf(place) !== at)).toEqual([]);
});

/** Where an import of a file of the server leads, from the server's folder; null if it leads out of the server. */
function targetInServer(file: string, specifier: string): string | null {
  if (specifier.startsWith("#server/")) return specifier.slice("#server/".length);
  if (!specifier.startsWith(".")) return null;
  const target = relative(SERVER, resolve(SERVER, dirname(file), specifier)).replaceAll(sep, "/");
  return target.startsWith("..") ? null : target;
}

/** Whether a file is private to its room: it lies in a subfolder that the wing's README does not open. */
function isPrivateToRoom(target: string): boolean {
  const [wing, , folder, file] = target.split("/");
  if (!WINGS.includes(wing!) || folder === undefined || file === undefined) return false;
  return !OPEN_FOLDERS.some((open) => target.startsWith(`${open}/`));
}

test("a room is entered by the files directly in its folder, which are its public interface", () => {
  expect(isPrivateToRoom("inbox/channels/registry.ts")).toBe(false);
  expect(isPrivateToRoom("inbox/channels/telegram/bot.ts")).toBe(true);
  expect(isPrivateToRoom("platform/db/schema/twins.ts")).toBe(false);
  const breaches = files.flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const target = targetInServer(file, specifier);
      if (target === null || placeOf(target) === placeOf(file) || !isPrivateToRoom(target)) return [];
      return [`${file} imports ${target}`];
    }),
  );
  expect(breaches).toEqual([]);
});

test("every folder that a README opens exists and is used by another room", () => {
  const used = new Set(
    files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = targetInServer(file, specifier);
        return target === null || placeOf(target) === placeOf(file) ? [] : [dirname(target)];
      }),
    ),
  );
  expect(OPEN_FOLDERS.length).toBeGreaterThan(0);
  expect(OPEN_FOLDERS.filter((folder) => !used.has(folder))).toEqual([]);
});

test("each room imports only rooms and wings that stand before it", () => {
  const breaches: string[] = [];
  for (const file of files) {
    const from = placeOf(file);
    for (const specifier of importsOf(file)) {
      const target = targetInServer(file, specifier);
      if (target === null) continue;
      const to = placeOf(target);
      const allowed = to === from || (RANK.get(to) ?? Number.POSITIVE_INFINITY) < RANK.get(from)!;
      if (!allowed) breaches.push(`${file} imports ${target}`);
    }
  }
  expect(breaches).toEqual([]);
});

test("the README of a wing has at most ten lines and names three files that exist", () => {
  for (const wing of WINGS) {
    const text = readFileSync(join(SERVER, wing, "README.md"), "utf8");
    expect(text.trimEnd().split("\n").length, `lines of ${wing}/README.md`).toBeLessThanOrEqual(10);
    const entries = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => `${wing}/${file}`);
    expect(entries, `entry points of ${wing}/README.md`).toHaveLength(3);
    expect(entries.filter((entry) => !files.includes(entry.replaceAll("/", sep)))).toEqual([]);
  }
});

/** Absolute paths of the sources in a folder beside the server. */
const filesOf = (folder: string): string[] => {
  const root = resolve(SERVER, "..", folder);
  return readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((file) =>
    file.endsWith(".ts") && !file.endsWith(".d.ts") ? [join(root, file)] : [],
  );
};

/** Where an import leads, from the repository's root; null for a package's. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".")) return null;
  return relative(resolve(SERVER, ".."), resolve(dirname(file), specifier)).replaceAll(sep, "/");
}

/** What a benchmark may use of `answers/replies/` besides its public interface: it sets these estimates beside other ones. */
const MEASURED_PARTS = ["record/send-probability.ts", "wording/pair-fit.ts"];

test("a benchmark answers by the same use case as the server, and prepares, words and checks no reply in its own way", () => {
  const benches = filesOf("bench");
  expect(benches.length).toBeGreaterThan(10);
  const breaches = benches.flatMap((file) =>
    importsIn(file)
      .map((specifier) => targetOf(file, specifier) ?? "")
      .filter(
        (target) => target.startsWith("server/answers/replies/") && isPrivateToRoom(target.slice("server/".length)),
      )
      .filter((target) => !MEASURED_PARTS.some((part) => target === `server/answers/replies/${part}`))
      .map((target) => `${file} imports ${target}`),
  );
  expect(breaches).toEqual([]);
});

test("the server does not import the web, and the contract imports neither of them", () => {
  expect(
    files.filter((file) => importsOf(file).some((specifier) => /^#web\/|^(?:\.\.\/)+web\//.test(specifier))),
  ).toEqual([]);
  const contract = filesOf("contract").filter((file) => !file.endsWith(".test.ts"));
  expect(contract.length).toBeGreaterThan(10);
  const strangers = contract.flatMap((file) =>
    importsIn(file)
      .filter((specifier) => specifier !== "zod/mini" && !targetOf(file, specifier)?.startsWith("contract/"))
      .map((specifier) => `${relative(resolve(SERVER, ".."), file)} imports ${specifier}`),
  );
  expect(strangers).toEqual([]);
});

test("a package knows nothing of the product, and the product nothing of a testing package", () => {
  const leaving = filesOf("packages").flatMap((file) => {
    const own = relative(resolve(SERVER, ".."), file).replaceAll(sep, "/").split("/").slice(0, 2).join("/");
    return importsOf(relative(SERVER, file)).filter(
      (specifier) => targetOf(file, specifier)?.startsWith(`${own}/`) === false,
    );
  });
  expect(filesOf("packages").length).toBeGreaterThan(3);
  expect(leaving).toEqual([]);
  expect(files.filter((file) => importsOf(file).some((specifier) => specifier.startsWith("#packages/")))).toEqual([]);
});
