// A model's calls as they were once made: recorded from a server, or replayed without one. A call is known by its question, its kind and
// its place among those of its kind. Whether its prompt is still the same, but for the clock and the fence, is counted.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { completed } from "#server/demo/content/recorded-answers.ts";

export type CallKind = "answer" | "verdict";

export interface CallBody {
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema?: { name: string } };
}

interface Line {
  /** Base, question, kind of call, number of the call: «velo velo-001 answer 1». */
  call: string;
  /** Digest of the prompt. */
  prompt: string;
  completion: string;
}

const CLOCK = /Сегодня [^\n]*|Ближайшие дни:[^\n]*|Сейчас \d{1,2}:\d{2}\./gu;
/** Of a prompt without samples, the rules alone name the fence. */
const FENCE = /(?:<<<|между метками )([\w-]{12})[\s]/u;

export const kindOf = (body: CallBody): CallKind =>
  body.response_format?.json_schema?.name === "verdict" ? "verdict" : "answer";

/** The same prompt at another hour, with another fence, has the same digest. */
export function digestOf({ messages }: CallBody): string {
  const text = messages.map(({ role, content }) => `${role}\n${content}`).join("\n");
  const fence = FENCE.exec(text)?.[1];
  const plain = (fence === undefined ? text : text.replaceAll(fence, "FENCE")).replace(CLOCK, "");
  return createHash("sha256").update(plain).digest("base64url").slice(0, 12);
}

export class RecordedCalls {
  readonly #path: string;
  readonly #known = new Map<string, Line>();
  /** Calls that no recording has. */
  missing = 0;
  /** Calls whose prompts have changed since they were recorded. */
  changed = 0;

  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    for (const text of readFileSync(path, "utf8").split("\n")) {
      if (text === "") continue;
      const line = JSON.parse(text) as Line;
      this.#known.set(line.call, line);
    }
  }

  /** What the writer of the answers to a question says of their flaws; null: none. */
  flawsOf(about: string): [first: string | null, last: string | null] {
    const flawOf = (call: string) => {
      const flaw = /"flaw"\s*:\s*"([^"]*)"/u.exec(this.#known.get(call)?.completion ?? "")?.[1];
      return flaw === undefined || flaw === "none" ? null : flaw;
    };
    const [first, second] = [`${about} answer 1`, `${about} answer 2`];
    return [flawOf(first), flawOf(this.#known.has(second) ? second : first)];
  }

  /**
   * An HTTP client for a model's calls about one question.
   * @param about base and question
   * @param servers absent: a call that is not recorded fails with 404
   */
  clientFor(about: string, servers?: Record<CallKind, string>): typeof fetch {
    const made: Record<CallKind, number> = { answer: 0, verdict: 0 };
    return async (input, init) => {
      const body = JSON.parse(String(init?.body)) as CallBody;
      const kind = kindOf(body);
      const call = `${about} ${kind} ${++made[kind]}`;
      const prompt = digestOf(body);
      const known = this.#known.get(call);
      if (known !== undefined) {
        if (known.prompt !== prompt) this.changed++;
        return completed(known.completion);
      }
      if (servers === undefined) {
        this.missing++;
        return Response.json({ error: { message: "not recorded" } }, { status: 404 });
      }
      const { pathname } = new URL(String(input));
      const url = `${servers[kind]}${pathname.slice(pathname.indexOf("/chat/"))}`;
      const response = await fetch(url, { ...init, body: JSON.stringify({ ...body, stream: false }) });
      const answer = (await response.json()) as { choices: { message: { content: string } }[] };
      const line: Line = { call, prompt, completion: answer.choices[0]!.message.content };
      this.#known.set(call, line);
      mkdirSync(dirname(this.#path), { recursive: true });
      appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
      return completed(line.completion);
    };
  }
}
