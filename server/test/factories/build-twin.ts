/** Twins and what they read, made by the calls that the screens make. */
import type { LightMyRequestResponse } from "fastify";
import type { TwinInput } from "#contract/twins.ts";
import type { TestClient } from "../test-app.ts";
import { TWIN } from "./twin-input.ts";

type Poster = Pick<TestClient, "post">;

function made(answer: LightMyRequestResponse): string {
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`);
  return answer.json<{ id: string }>().id;
}

/** @returns the twin's id */
export const buildTwin = async (client: Poster, changes: Partial<TwinInput> = {}): Promise<string> =>
  made(await client.post("/api/digital-twins", { ...TWIN, ...changes }));

/** A document of this text, not read yet. @returns its id */
export const buildDocument = async (
  client: Poster,
  twinId: string,
  content: string,
  changes: { name?: string; type?: string } = {},
): Promise<string> =>
  made(
    await client.post("/api/knowledge/upload", {
      ...{ digitalTwinId: twinId, name: "Доставка", type: "faq", content },
      ...changes,
    }),
  );
