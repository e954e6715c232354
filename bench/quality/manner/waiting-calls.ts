// A model's calls that are answered later, in batches: what no recording answers is written down and gets a reply that says nothing. A
// measure is repeated until nothing waits. Prompts hold real conversations alone, so they do not depend on earlier answers.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { completed, digestTalk } from "#server/demo/content/recorded-answers.ts";
import { type CallBody, digestOf, kindOf } from "../../answers/strong/recorded-calls.ts";
import type { AskedPrompt } from "./prompt-checks.ts";

interface Recorded {
  /** Who asked whom, and a digest of the conversation: «contacts-1 …». */
  call: string;
  /** Digest of the prompt. */
  prompt: string;
  completion: string;
}

/** Where a prompt belongs: whose completions, the place of the person among those who are asked, and what orders a writer's prompts. */
export type PromptPlace = Pick<AskedPrompt, "writer" | "person" | "number">;

const DIGEST_LENGTH = 12;
const MESSAGE = "Сообщение собеседника:";
/** A writer who mends completions has not read the prompts after them. */
const MENDING = "-again";

/** A completion that says nothing, for a prompt that nobody has answered yet. */
export const NOTHING = JSON.stringify({
  ...{ kind: "unknown", messages: [], sources: [], sums: [], open: "", action: "", search: "" },
});

/** Returns the prompt as it is asked. A mended completion has the message before the complaint. */
function promptOf({ messages }: CallBody, place: PromptPlace): Omit<AskedPrompt, "completion"> {
  const [system, ...turns] = messages.map(({ content }) => content);
  const asked = turns.findLast((content) => content.includes(MESSAGE)) ?? turns.at(-1)!;
  return {
    ...place,
    writer: turns.at(-1) === asked ? place.writer : `${place.writer}${MENDING}`,
    ...{ system: system!, conversation: turns.join("\n"), message: asked.split(MESSAGE).at(-1)!.trim() },
  };
}

export class WaitingCalls {
  readonly #path: string;
  readonly #waiting: string | undefined;
  readonly #byCall = new Map<string, Recorded>();
  /** Completions by writer and digest of the prompt. */
  readonly #written = new Map<string, string>();
  readonly #used = new Map<string, Recorded>();
  readonly #missing = new Map<string, number>();
  /** Every prompt, in the order in which it was asked. */
  readonly prompts: AskedPrompt[] = [];
  /** Calls whose rules or samples have changed since they were recorded. */
  changed = 0;

  /**
   * @param path recorded completions, a JSON line each
   * @param waiting folder of calls by hand, with one of each writer in it: `WRITER/q/NAME.json` holds a prompt, `WRITER/a/NAME.txt` its
   * completion, which is recorded; absent: nothing is written down
   */
  constructor(path: string, waiting: string | undefined) {
    this.#path = path;
    this.#waiting = waiting;
    for (const text of existsSync(path) ? readFileSync(path, "utf8").split("\n") : []) {
      if (text === "") continue;
      const line = JSON.parse(text) as Recorded;
      this.#byCall.set(line.call, line);
    }
    if (waiting === undefined) return;
    mkdirSync(waiting, { recursive: true });
    for (const writer of readdirSync(waiting)) {
      const answers = join(waiting, writer, "a");
      for (const name of existsSync(answers) ? readdirSync(answers) : []) {
        // A digest may hold a dash itself.
        const prompt = name.replace(/\.txt$/, "").slice(-DIGEST_LENGTH);
        this.#written.set(`${writer} ${prompt}`, readFileSync(join(answers, name), "utf8").trim());
      }
    }
  }

  /** Number of prompts of each writer that no completion answers. */
  get missing(): ReadonlyMap<string, number> {
    return this.#missing;
  }

  /** @param place tells where the prompt of a message belongs */
  clientFor(place: () => PromptPlace): typeof fetch {
    return async (_input, init) => {
      const body = JSON.parse(String(init?.body)) as CallBody;
      // No verifier is asked: it can only have an answer written anew, and its owner would read that.
      if (kindOf(body) === "verdict") return Response.json({ error: { message: "no verifier" } }, { status: 503 });
      const asked = promptOf(body, place());
      const { writer, person, number } = asked;
      const call = `${writer}-${person} ${digestTalk(body.messages)}`;
      const prompt = digestOf(body);
      const recorded = this.#byCall.get(call);
      // A new completion of the same prompt comes first.
      const fresh = recorded?.prompt === prompt || this.#waiting === undefined ? recorded?.completion : undefined;
      const completion = this.#written.get(`${writer} ${prompt}`) ?? fresh;
      this.prompts.push({ ...asked, completion: completion ?? "" });
      if (completion !== undefined) {
        if (recorded !== undefined && recorded.prompt !== prompt) this.changed++;
        this.#used.set(call, { call, prompt, completion });
        return completed(completion);
      }
      this.#missing.set(writer, (this.#missing.get(writer) ?? 0) + 1);
      if (this.#waiting !== undefined) {
        const folder = join(this.#waiting, writer);
        for (const part of ["q", "a"]) mkdirSync(join(folder, part), { recursive: true });
        const name = `${person}-${String(number).padStart(3, "0")}-${prompt}`;
        writeFileSync(join(folder, "q", `${name}.json`), JSON.stringify(body));
      }
      return completed(NOTHING);
    };
  }

  /** Stores the completions that were used, in the order of their use. */
  record(): void {
    const lines = [...this.#used.values()].map((line) => JSON.stringify(line));
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, `${lines.join("\n")}\n`);
  }
}
