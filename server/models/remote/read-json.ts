/** OpenRouter lists hundreds of models with their descriptions. */
const MAX_LIST = 4_000_000;

/** Reads a page that a server of models has about itself. Returns null for a failure, a long page and what is no JSON. Never throws. */
export async function readJson(send: typeof fetch, url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const answer = await send(url, { headers: { accept: "application/json" }, signal });
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      if (!answer.ok || text.length > MAX_LIST) return null;
    }
    return answer.ok ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
