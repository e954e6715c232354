/** A client that is slow on purpose. */
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";

export function open(app: FastifyInstance): { socket: Socket; ended: Promise<{ ms: number; said: string }> } {
  const since = Date.now();
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk;
  });
  socket.on("error", () => {});
  const ended = new Promise<{ ms: number; said: string }>((resolve) =>
    socket.once("close", () => resolve({ ms: Date.now() - since, said })),
  );
  return { socket, ended };
}
