/** A capable model that writes the records it is given, one for each prompt, the last one again; its verifier finds no fault. */
import { type ModelRequest, startOpenAiServer } from "../servers/openai-server.ts";

export interface ProposingModel {
  baseUrl: string;
  /** What it was asked, without the verifier's prompts. */
  prompts: string[];
  proposes(tool: string, values: Record<string, string>): void;
  says(message: string, sources: number[], kind?: string): void;
  /** Writes what is returned, from the prompt; overrides the list. */
  obeys(write: ((prompt: string) => string) | null): void;
  reset(): void;
  close(): Promise<void>;
}

const EMPTY = { kind: "act", messages: [], sources: [], sums: [], open: "", action: "", search: "" };

export const callRecord = (tool: string, values: Record<string, string>): string =>
  JSON.stringify({
    ...EMPTY,
    call: { tool, arguments: Object.entries(values).map(([name, value]) => ({ name, value })) },
  });

export const sayRecord = (message: string, sources: number[], kind = "answered"): string =>
  JSON.stringify({ ...EMPTY, kind, messages: [message], sources, call: { tool: "", arguments: [] } });

const schemaOf = ({ body }: ModelRequest): string =>
  (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name ?? "";

export async function startProposingModel(): Promise<ProposingModel> {
  const written: string[] = [];
  const prompts: string[] = [];
  let last = "{}";
  let write: ((prompt: string) => string) | null = null;
  const server = await startOpenAiServer({
    text: (asked) => {
      if (schemaOf(asked) === "verdict")
        return JSON.stringify({ unsupported: [], fault: "", covers: "all", score: 10 });
      const prompt = (asked.body.messages ?? []).map(({ content }) => content).join("\n\n");
      prompts.push(prompt);
      last = written.shift() ?? last;
      return write === null ? last : write(prompt);
    },
  });
  return {
    baseUrl: server.baseUrl,
    prompts,
    proposes: (tool, values) => void written.push(callRecord(tool, values)),
    says: (message, sources, kind) => void written.push(sayRecord(message, sources, kind)),
    obeys: (next) => {
      write = next;
    },
    reset: () => {
      written.length = 0;
      prompts.length = 0;
      write = null;
    },
    close: () => server.close(),
  };
}
