/** An invented calendar server: it finds its calendars, lists events and takes new ones, each name once. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CaldavServer {
  origin: string;
  login: string;
  password: string;
  /** iCalendar texts by file name. */
  events: Map<string, string>;
  /** «PUT /calendars/anna/work/x.ics», in order. */
  requests: string[];
  /** Headers of the last request. */
  authorization: string;
  /**
   * What it does otherwise than a calendar. lost: it takes an event and breaks the connection. refuses: it takes none. elsewhere: it says
   * that its calendars are at another host. redirects: it moves its discovery there. huge, html, hang: what it answers to a report.
   */
  mischief: "lost" | "refuses" | "elsewhere" | "redirects" | "huge" | "html" | "hang" | "broken" | null;
  close(): Promise<void>;
}

const HOME = "/calendars/anna/";
const WORK = `${HOME}work/`;
const ELSEWHERE = "https://evil.example/steal/";

const multistatus = (...responses: string[]) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join("")}</d:multistatus>`;
const response = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export async function startCaldavServer(): Promise<CaldavServer> {
  const events = new Map<string, string>();
  const state: CaldavServer = {
    ...{ origin: "", login: "anna", password: "app-password", events, requests: [], authorization: "", mischief: null },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = (request: IncomingMessage, body: string, reply: ServerResponse) => {
    const { method = "", url = "", headers } = request;
    state.requests.push(`${method} ${url}`);
    state.authorization = headers.authorization ?? "";
    const xml = (text: string, status = 207) => {
      reply.writeHead(status, { "content-type": "application/xml; charset=utf-8" });
      reply.end(text);
    };
    if (url.startsWith("/.well-known/")) {
      const moved = state.mischief === "redirects" ? ELSEWHERE : "/";
      reply.writeHead(301, { location: moved }).end();
      return;
    }
    const expected = `Basic ${Buffer.from(`${state.login}:${state.password}`).toString("base64")}`;
    if (headers.authorization !== expected) {
      reply.writeHead(401).end();
      return;
    }
    if (method === "PROPFIND" && url === "/")
      return xml(
        multistatus(response("/", "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>")),
      );
    if (method === "PROPFIND" && url === "/me/") {
      const home = state.mischief === "elsewhere" ? ELSEWHERE : HOME;
      return xml(multistatus(response("/me/", `<c:calendar-home-set><d:href>${home}</d:href></c:calendar-home-set>`)));
    }
    if (method === "PROPFIND" && url === HOME) {
      const calendar = (href: string, title: string, holds: string) =>
        response(
          href,
          `<d:displayname>${title}</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype><c:supported-calendar-component-set><c:comp name="${holds}"/></c:supported-calendar-component-set>`,
        );
      return xml(
        multistatus(calendar(WORK, "Работа", "VEVENT"), calendar(`${HOME}tasks/`, "Дела", "VTODO"), response(HOME, "")),
      );
    }
    if (method === "PROPFIND") return xml(multistatus(response(url, "<d:supported-report-set/>")));
    if (method === "REPORT") return report(body, reply, xml);
    if (method === "PUT") return put(request, body, reply);
    reply.writeHead(404).end();
  };

  function report(_body: string, reply: ServerResponse, xml: (text: string) => void): void {
    if (state.mischief === "hang") return;
    if (state.mischief === "html") {
      reply.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
      return;
    }
    const all = [...events].map(([name, text]) =>
      response(`${WORK}${name}`, `<c:calendar-data>${escaped(text)}</c:calendar-data>`),
    );
    xml(state.mischief === "huge" ? "x".repeat(2_000_001) : multistatus(...all));
  }

  function put(request: IncomingMessage, body: string, reply: ServerResponse): void {
    const name = (request.url ?? "").split("/").at(-1)!;
    if (state.mischief === "refuses") return void reply.writeHead(403).end();
    if (state.mischief === "broken") return void reply.writeHead(500).end();
    if (events.has(name) && request.headers["if-none-match"] === "*") return void reply.writeHead(412).end();
    events.set(name, body);
    if (state.mischief === "lost") return void reply.destroy();
    reply.writeHead(201).end();
  }

  const server = createServer((message, reply) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => answer(message, Buffer.concat(chunks).toString(), reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
