import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const SERVER = resolve(import.meta.dirname, "../..");
/** Each place may import what stands before it, and its own. */
const ORDER = [
  ["network", "secrets", "random"],
  ["errors", "log", "config"],
  ["process"],
  ["sandbox", "files"],
  ["untrusted-text"],
  ["db"],
  ["object-storage"],
  ["jobs"],
  ["http"],
  ["auth"],
  ["organizations", "contact"],
  ["twins"],
  ["models"],
  ["media"],
  ["knowledge"],
  ["language"],
  ["output-guard"],
  ["search", "style"],
  ["fidelity", "open-replies"],
  ["corrections"],
  ["replies"],
  ["training"],
  ["facts"],
  ["opening"],
  ["voices"],
  ["webhooks"],
  ["notifications"],
  ["crm"],
  ["conversations"],
  ["lookup"],
  ["channels"],
  ["gaps"],
  ["integrations"],
  ["api-keys", "widget", "offboarding"],
  ["imports"],
  ["analytics"],
  ["records"],
  ["backup"],
  ["health"],
  ["services", "start-failure"],
  ["demo", "workers"],
  ["cleanup", "showcase"],
  ["app"],
  ["serve"],
  ["main", "commands"],
];
const RANK = new Map(ORDER.flatMap((places, rank) => places.map((place) => [place, rank] as const)));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.endsWith(".test.ts") && !file.startsWith(`test${sep}`),
);

const importsIn = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);

const importsOf = (file: string): string[] => importsIn(join(SERVER, file));

/**
 * What others may use of `replies/`: they answer by `answer-conversation.ts` alone, so that nobody prepares, words or grounds a reply
 * in a way of his own.
 */
const OPEN_OF_REPLIES = [
  "answer-conversation",
  "models",
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
  // What a text speaks of, and in which order hits stand.
  "ask-back",
  "reading/answer-by-embedding",
].map((file) => `replies/${file}.ts`);

/** The part of the server that a file belongs to: «replies» for `answers/replies/decide.ts`, «app» for `app.ts`. */
const placeOf = (file: string): string => file.split(sep)[0]!.replace(/\.ts$/, "");

test("each folder of the server imports only folders to its left in the import order", () => {
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
    ...files.filter((file) => placeOf(file) !== "replies").map((file) => join(SERVER, file)),
    ...filesOf("bench"),
    ...filesOf("research"),
  ];
  for (const file of outside) {
    for (const specifier of importsOf(relative(SERVER, file))) {
      const target = specifier.startsWith("#server/")
        ? specifier.slice("#server/".length)
        : relative(SERVER, resolve(dirname(file), specifier)).replaceAll(sep, "/");
      if (target.startsWith("replies/") && !OPEN_OF_REPLIES.includes(target))
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

test("what proves the product does not lean on research", () => {
  const breaches = [...files.map((file) => join(SERVER, file)), ...filesOf("bench")].flatMap((file) =>
    importsOf(relative(SERVER, file))
      .filter((specifier) => targetOf(file, specifier)?.startsWith("research/"))
      .map((specifier) => `${relative(SERVER, file)} imports ${specifier}`),
  );
  expect(breaches).toEqual([]);
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
