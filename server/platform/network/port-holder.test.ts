import { createServer } from "node:net";
import { expect, test } from "vitest";
import { findPortHolder } from "./port-holder.ts";

test.skipIf(process.platform !== "linux")(
  "who listens on a port is named by number and command, and nobody on a free one",
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(await findPortHolder(port)).toMatchObject({ pid: process.pid, command: expect.stringContaining("node") });
    await new Promise((resolve) => server.close(resolve));
    expect(await findPortHolder(port)).toBeNull();
  },
);
