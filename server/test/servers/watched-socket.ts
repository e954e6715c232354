import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** A socket that counts connections and closes each. A test that nothing leaves the machine expects a count of 0. */
export async function watchedSocket(): Promise<{ server: Server; baseUrl: string; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: () => connections,
  };
}
