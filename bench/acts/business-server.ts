// The systems of the invented businesses: a read answers with its row, what changes is only counted.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Business, TalkTool } from "./talks.ts";

export interface BusinessServer {
  origin: string;
  /** Calls of what changes something. */
  changes: string[];
  close(): Promise<void>;
}

/** The address of a call: «/gaika/repair_status/2217». */
export const pathOf = (business: string, { id }: Pick<TalkTool, "id">, values: readonly string[]): string =>
  `/${[business, id, ...values.map(encodeURIComponent)].join("/")}`;

export async function startBusinessServer(businesses: readonly Business[]): Promise<BusinessServer> {
  const rows = new Map<string, unknown>();
  for (const business of businesses)
    for (const tool of business.tools)
      for (const row of tool.data ?? [])
        rows.set(
          pathOf(
            business.id,
            tool,
            tool.fields.map(({ name }) => row[name] ?? ""),
          ),
          row,
        );
  const changes: string[] = [];
  const server = createServer((message, response) => {
    const { method = "", url = "" } = message;
    message.resume().on("end", () => {
      if (method !== "GET") changes.push(url);
      const found = method === "GET" ? rows.get(url) : { ok: true };
      response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(found ?? { error: "not found" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changes,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
