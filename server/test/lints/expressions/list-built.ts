/**
 * Prints every expression that the program builds, as JSON: run by Node as the program itself is, for a test's own compiler may
 * have made a literal of one.
 */
import { builtBy, expressionsIn, programFiles } from "./find-expressions.ts";

/** Places that build an expression within a function, each with a call that gets one of theirs; others are built by importing. */
const CALLS: readonly (() => Promise<unknown>)[] = [
  async () =>
    (await import("#server/knowledge/language/redact.ts")).restore("[EMAIL_1_abcdef]", { tag: "abcdef", values: {} }),
  async () =>
    (await import("#server/knowledge/corrections/style-rules.ts")).followsRule(
      "Слушай, это так",
      { habit: "phrase", phrase: "слушай (это)" },
      { opening: false },
    ),
  async () => (await import("#server/demo/content/demo-content.ts")).loadDemoContent(),
  // A stem that ends in «н» and is long has all endings that there are.
  async () =>
    (await import("#server/knowledge/language/words/word-forms.ts")).formsIn(["временный", "delivery"], ["временно"]),
  // The web is another project: its types are not known here.
  async () => (await import(`#${"web"}/ui/found-pieces.ts`)).foundPieces("да", "да"),
];

const files = programFiles().filter((file) => expressionsIn(file).constructions.length > 0);
const built = await builtBy(async () => {
  for (const file of files) await import(`#${file}`);
  for (const call of CALLS) await call();
});
process.stdout.write(JSON.stringify(built));
