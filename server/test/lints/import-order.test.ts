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

/**
 * What others may use of `answers/replies/`: they answer by `prefetchQuestion`, `openTwin` and `planReply` alone, so that none prepares,
 * words, streams or grounds a reply in a way of its own.
 */
const OPEN_OF_REPLIES = [
  "models",
  "prefetch-question",
  "open-twin",
  "plan-reply",
  "reply-request",
  "chosen-models",
  "routes",
  "remote-generators",
  // Chosen when the server starts.
  "generators/generator",
  "generators/embedded",
  "generators/local",
  "generators/llm",
  // A benchmark chooses again among fewer.
  "candidates/best-of-n",
  "candidates/candidate",
  // What may be quoted is learnt as vectors, and shown to the owner.
  "reading/pieces",
  "wording/owner-answers",
  // A benchmark sets the estimate beside what fits.
  "wording/pair-fit",
  // In which order hits stand.
  "reading/answer-by-embedding",
].map((file) => `answers/replies/${file}.ts`);

/** The part of the server that a file belongs to: «answers/replies» for `answers/replies/decide.ts`, «app» for `app.ts`. */
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

test("each room imports only rooms and wings that stand before it", () => {
  const breaches: string[] = [];
  for (const file of files) {
    const from = placeOf(file);
    for (const specifier of importsOf(file)) {
      const target = specifier.startsWith("#server/")
        ? specifier.slice("#server/".length)
        : specifier.startsWith(".")
          ? relative(SERVER, resolve(SERVER, dirname(file), specifier))
          : null;
      if (target === null || target.startsWith("..")) continue;
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

test("every place that answers a message uses the same use case", () => {
  const breaches: string[] = [];
  const outside = [
    ...files.filter((file) => placeOf(file) !== "answers/replies").map((file) => join(SERVER, file)),
    ...filesOf("bench"),
  ];
  for (const file of outside) {
    for (const specifier of importsOf(relative(SERVER, file))) {
      const target = specifier.startsWith("#server/")
        ? specifier.slice("#server/".length)
        : relative(SERVER, resolve(dirname(file), specifier)).replaceAll(sep, "/");
      if (target.startsWith("answers/replies/") && !OPEN_OF_REPLIES.includes(target))
        breaches.push(`${relative(SERVER, file)} imports ${target}`);
    }
  }
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
