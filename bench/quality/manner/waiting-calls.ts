// A model's calls that are answered later, in batches: what no recording answers is written down and gets a reply that says nothing. A
// measure is repeated until nothing waits. Prompts hold real conversations alone, so they do not depend on earlier answers.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CallBody, completed, digestOf, kindOf } from "../../answers/strong/recorded-calls.ts";

interface Recorded {
  /** Who asked whom, and a digest of the conversation: «strangers-1 …». */
  call: string;
  /** Digest of the prompt. */
  prompt: string;
  completion: string;
}

const DIGEST_LENGTH = 12;

const NOTHING = JSON.stringify({
  ...{ kind: "unknown", messages: [], sources: [], sums: [], open: "", action: "", search: "" },
});

/** What both sides have said, without rules, samples and the hour. */
function conversationOf({ messages }: CallBody): string {
  const [, ...turns] = messages;
  const said = turns.map(({ role, content }) => `${role}\n${content.split("Сообщение собеседника:").at(-1)!.trim()}`);
  return createHash("sha256").update(said.join("\n")).digest("base64url").slice(0, DIGEST_LENGTH);
}

export class WaitingCalls {
  readonly #path: string;
  readonly #waiting: string | undefined;
  readonly #byCall = new Map<string, Recorded>();
  /** Completions by the digest of their prompt. */
  readonly #byPrompt = new Map<string, string>();
  readonly #used = new Map<string, Recorded>();
  readonly #missing = new Set<string>();
  /** Calls whose rules or samples have changed since they were recorded. */
  changed = 0;

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
      const line = JSON.parse(text) as Recorded;
      this.#byCall.set(line.call, line);
      this.#byPrompt.set(line.prompt, line.completion);
    }
    if (waiting === undefined) return;
    for (const part of ["q", "a"]) mkdirSync(join(waiting, part), { recursive: true });
    for (const name of readdirSync(join(waiting, "a"))) {
      // A digest may hold a dash itself.
      const prompt = name.replace(/\.txt$/, "").slice(-DIGEST_LENGTH);
      this.#byPrompt.set(prompt, readFileSync(join(waiting, "a", name), "utf8").trim());
    }
  }

  /** Number of prompts that no completion answers. */
  get missing(): number {
    return this.#missing.size;
  }

  /** @param place who asks whom, and a number that orders the prompts of one writer */
  clientFor(place: () => { group: string; number: number }): typeof fetch {
    return async (_input, init) => {
      const body = JSON.parse(String(init?.body)) as CallBody;
      // No verifier is asked: it can only have an answer written anew, and its owner would read that.
      if (kindOf(body) === "verdict") return Response.json({ error: { message: "no verifier" } }, { status: 503 });
      const { group, number } = place();
      const call = `${group} ${conversationOf(body)}`;
      const prompt = digestOf(body);
      const recorded = this.#byCall.get(call);
      // A new completion of the same prompt comes first.
      const completion = this.#byPrompt.get(prompt) ?? (this.#waiting === undefined ? recorded?.completion : undefined);
      if (completion !== undefined) {
        if (recorded !== undefined && recorded.prompt !== prompt) this.changed++;
        this.#used.set(call, { call, prompt, completion });
        return completed(completion);
      }
      this.#missing.add(prompt);
      if (this.#waiting !== undefined) {
        const name = `${group}-${String(number).padStart(3, "0")}-${prompt}`;
        writeFileSync(join(this.#waiting, "q", `${name}.json`), JSON.stringify(body));
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
