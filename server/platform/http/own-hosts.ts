/**
 * Refuses requests whose Host is not this server's. Another site may point its own name at this server (DNS rebinding). The browser then
 * treats both as one origin, so the site's page could sign in and read responses
 * (docs/decisions/016-installation-administrator-and-host-names.md).
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "#server/platform/config.ts";
import { Problem } from "#server/platform/errors.ts";
import { isThisMachine, plainHost } from "#server/platform/network/public-address.ts";
import { answerProblem, toProblemBody } from "./answer-errors.ts";

type Settings = Pick<Config, "publicUrl" | "allowedHosts">;

const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i;

/** Returns the host name or address of a Host header in comparable form; null when the header is invalid. */
function hostIn(header: string | undefined): string | null {
  const found = HOST.exec(header ?? "")?.[1];
  return found === undefined ? null : addressOf(plainHost(found));
}

/** Normalises an IP address, and turns a mapped IPv4 address into IPv4; returns any other text unchanged. */
function addressOf(text: string): string {
  if (!isIPv6(text)) return text;
  const address = plainHost(new URL(`http://[${text}]`).hostname);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped === null) return address;
  const bits = (Number.parseInt(mapped[1]!, 16) << 16) | Number.parseInt(mapped[2]!, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

/**
 * Whether the Host is this server: a name from the settings, this machine, or the address at which the request arrived. Unlike a name, an
 * address cannot be pointed elsewhere.
 */
export function isOwnHost({ publicUrl, allowedHosts }: Settings, request: IncomingMessage): boolean {
  const host = hostIn(request.headers.host);
  if (host === null) return false;
  if (isThisMachine(host)) return true;
  if (isIP(host) !== 0 && host === addressOf(request.socket.localAddress ?? "")) return true;
  return [new URL(publicUrl).hostname, ...allowedHosts].some((name) => addressOf(plainHost(name)) === host);
}

const foreignHost = ({ publicUrl }: Settings): Problem =>
  new Problem(421, "foreign_host", `Это не адрес этого сервера. Откройте ${publicUrl}.`);

/** Must be the first hook, so that a refused request causes no work. */
export function refuseForeignHosts(app: FastifyInstance, settings: Settings): void {
  // Answered here without throwing: endpoints for programs would reword a thrown error in their own protocols.
  app.addHook("onRequest", async (request, reply) => {
    if (!isOwnHost(settings, request.raw)) return answerProblem(reply, foreignHost(settings), request.id);
  });
}

/** The same check where there is no app yet. @returns whether it has sent a refusal */
export function refusesForeignHost(settings: Settings, request: IncomingMessage, response: ServerResponse): boolean {
  if (isOwnHost(settings, request)) return false;
  const problem = foreignHost(settings);
  response.writeHead(problem.status).end(JSON.stringify(toProblemBody(problem, randomUUID())));
  return true;
}
