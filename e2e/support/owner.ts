import type { Page } from "@playwright/test";
import type { TwinInput } from "#contract/twins.ts";
import { buildTwinInput } from "../factories/twin.ts";
import { currentServer, expect } from "./fixtures.ts";
import { asNewUser } from "./session.ts";

// biome-ignore lint/suspicious/noExplicitAny: an answer of the real server, of which a test reads what it needs
type Json = any;

/** Calls of the API past the page, in the name of whom `headers` belong to; whatever is refused fails the test. */
export function callsOf(page: Page, headers: Record<string, string>) {
  const call = async (method: "GET" | "POST" | "PUT", path: string, data?: object): Promise<Json> => {
    const answer = await page.request.fetch(path, { method, headers, ...(data && { data }) });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, data: object) => call("POST", path, data),
    put: (path: string, data: object) => call("PUT", path, data),
  };
}

/** Somebody new is signed in, on a real server, and has a twin. */
export async function asOwner(page: Page, twin: Partial<TwinInput> = {}, server = currentServer()) {
  const headers = { authorization: `Bearer ${await asNewUser(page, server)}` };
  const calls = callsOf(page, headers);
  const { id }: { id: string } = await calls.post("/api/digital-twins", buildTwinInput(twin));
  return { id, headers, ...calls };
}

type Owner = Awaited<ReturnType<typeof asOwner>>;

/** Connects the twin to Telegram by a bot; gives back the integration's id. */
export async function connectBot({ id, post }: Owner, bot: { token: string }): Promise<string> {
  const data = { digitalTwinId: id, platform: "telegram", apiKey: bot.token };
  return (await post("/api/integrations/create", data)).id;
}

/** What `name` and the owner wrote to each other in turn, on one day of January 2026, as if pasted. */
export const uploadTalk = ({ id, post }: Owner, name: string, day: number, ...lines: string[]) =>
  post("/api/conversations/upload", {
    platform: "telegram",
    participants: [name],
    digitalTwinId: id,
    messages: lines.map((content, line) => ({
      content,
      role: line % 2 === 0 ? "user" : "assistant",
      timestamp: new Date(Date.UTC(2026, 0, day, 12, line)).toISOString(),
    })),
  });
