import { afterAll } from "vitest";

export interface SeenRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
}

/**
 * Replaces the browser's network and local storage until the file's tests end, because the next file in this worker needs
 * the real ones. Returns the stored values.
 */
export function standInBrowser(answer: (request: SeenRequest) => Response): Map<string, string> {
  const stored = new Map<string, string>();
  const replace = (name: string, value: unknown) => {
    const real = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, value });
    afterAll(() => {
      if (real === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, real);
    });
  };
  replace("fetch", async (url: string, init: RequestInit = {}) =>
    answer({
      method: init.method ?? "GET",
      url,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? init.body : undefined,
    }),
  );
  replace("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return stored;
}
