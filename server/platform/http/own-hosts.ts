/**
 * Refuses requests that were sent to a name which is not this server's. A page of another site may let its own name lead to this server
 * (DNS rebinding); for the browser the two are then one origin, and the page could sign in and read answers (docs/decisions/016-installation-administrator-and-host-names.md).
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

/** The name or address in a Host header, as it is compared; null where it is neither. */
function hostIn(header: string | undefined): string | null {
  const found = HOST.exec(header ?? "")?.[1];
  return found === undefined ? null : addressOf(plainHost(found));
}

/** An address in its one spelling, a mapped IPv4 address as such; any other text as it is. */
function addressOf(text: string): string {
  if (!isIPv6(text)) return text;
  const address = plainHost(new URL(`http://[${text}]`).hostname);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped === null) return address;
  const bits = (Number.parseInt(mapped[1]!, 16) << 16) | Number.parseInt(mapped[2]!, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

/**
 * Whether the request was sent to this server: to a name of the settings, to this machine, or to the very address at which it arrived. An
 * address cannot be made to lead elsewhere, as a name can.
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

/** Must be the first hook, so that nothing is done for such a request, whatever it asks for. */
export function refuseForeignHosts(app: FastifyInstance, settings: Settings): void {
  // Answered here and not thrown: calls for programs would word it in their own protocols.
  app.addHook("onRequest", async (request, reply) => {
    if (!isOwnHost(settings, request.raw)) return answerProblem(reply, foreignHost(settings), request.id);
  });
}

/** The same where there is no app yet. @returns whether it has answered */
export function refusesForeignHost(settings: Settings, request: IncomingMessage, response: ServerResponse): boolean {
  if (isOwnHost(settings, request)) return false;
  const problem = foreignHost(settings);
  response.writeHead(problem.status).end(JSON.stringify(toProblemBody(problem, randomUUID())));
  return true;
}
