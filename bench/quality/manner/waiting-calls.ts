// A model's calls that are answered later, in batches: what no recording answers is written down and gets a reply that says nothing. A
// measure is repeated until nothing waits. Prompts hold real conversations alone, so they do not depend on earlier answers.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CallBody, completed, digestOf, kindOf } from "../../answers/strong/recorded-calls.ts";

interface Recorded {
  /** Digest of the prompt. */
  prompt: string;
  completion: string;
}

const DIGEST_LENGTH = 12;

const NOTHING = JSON.stringify({
  ...{ kind: "unknown", messages: [], sources: [], sums: [], open: "", action: "", search: "" },
});

export class WaitingCalls {
  readonly #path: string;
  readonly #waiting: string | undefined;
  readonly #known = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #missing = new Set<string>();

  /**
   * @param path recorded completions, a JSON line each
   * @param waiting folder of calls by hand: `q/NAME.json` holds a prompt, `a/NAME.txt` its completion, which is recorded; absent: nothing is
   * written down
   */
  constructor(path: string, waiting: string | undefined) {
    this.#path = path;
    this.#waiting = waiting;
    for (const text of existsSync(path) ? readFileSync(path, "utf8").split("\n") : []) {
      if (text === "") continue;
      const { prompt, completion } = JSON.parse(text) as Recorded;
      this.#known.set(prompt, completion);
    }
    if (waiting === undefined) return;
    for (const part of ["q", "a"]) mkdirSync(join(waiting, part), { recursive: true });
    for (const name of readdirSync(join(waiting, "a"))) {
      // A digest may hold a dash itself.
      const digest = name.replace(/\.txt$/, "").slice(-DIGEST_LENGTH);
      this.#known.set(digest, readFileSync(join(waiting, "a", name), "utf8").trim());
    }
  }

  /** Number of prompts that no completion answers. */
  get missing(): number {
    return this.#missing.size;
  }

  /** @param place orders the prompts of one writer: by it a folder is read */
  clientFor(place: () => string): typeof fetch {
    return async (_input, init) => {
      const body = JSON.parse(String(init?.body)) as CallBody;
      // No verifier is asked: it can only have an answer written anew, and its owner would read that.
      if (kindOf(body) === "verdict") return Response.json({ error: { message: "no verifier" } }, { status: 503 });
      const digest = digestOf(body);
      const known = this.#known.get(digest);
      if (known !== undefined) {
        this.#used.add(digest);
        return completed(known);
      }
      this.#missing.add(digest);
      if (this.#waiting !== undefined)
        writeFileSync(join(this.#waiting, "q", `${place()}-${digest}.json`), JSON.stringify(body));
      return completed(NOTHING);
    };
  }

  /** Stores the completions that were used, in the order of their use. */
  record(): void {
    const lines = [...this.#used].map((prompt) => JSON.stringify({ prompt, completion: this.#known.get(prompt)! }));
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, `${lines.join("\n")}\n`);
  }
}
