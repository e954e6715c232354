/** Serves the prerendered landing page (scripts/prerender-landing.mjs) with this installation's origin filled in. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageFolder, sendPageFile } from "./page-language.ts";

const br = promisify(brotliCompress);
const zip = promisify(gzip);

/** Placeholder for the installation's origin, the same as in web/landing/landing-head.ts. */
const ORIGIN_PLACEHOLDER = "https://origin.invalid";

export type HasSession = (request: FastifyRequest) => boolean;

/**
 * Serves the page at /landing, and at / to visitors without a session; for signed-in users, / is the application's page like any other
 * path. `root` is the build's folder, which may be replaced while the server runs.
 */
export function mountLandingPage(app: FastifyInstance, root: string, publicUrl: string, hasSession: HasSession): void {
  const held = new Map<string, { of: number; page: Promise<Page> }>();

  async function currentPage(folder: string): Promise<Page | null> {
    const file = join(root, folder, "landing.html");
    const found = await stat(file).catch(() => null);
    if (found === null) return null;
    const known = held.get(folder);
    if (known?.of === found.mtimeMs) return known.page;
    const page = readPage(file, publicUrl);
    held.set(folder, { of: found.mtimeMs, page });
    return page;
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const folder = pageFolder(request);
    const page = (await currentPage(folder)) ?? (folder === "" ? null : await currentPage(""));
    return page === null ? sendPageFile(request, reply, root, "index.html") : sendPage(request, reply, page);
  }

  app.get("/landing", show);
  app.get("/", async (request, reply) =>
    hasSession(request) ? sendPageFile(request, reply, root, "index.html") : show(request, reply),
  );
}

type Page = Awaited<ReturnType<typeof readPage>>;

async function readPage(file: string, publicUrl: string) {
  const plain = Buffer.from((await readFile(file, "utf8")).replaceAll(ORIGIN_PLACEHOLDER, publicUrl));
  return {
    tag: createHash("sha256").update(plain).digest("base64url").slice(0, 27),
    plain,
    br: await br(plain),
    gzip: await zip(plain, { level: 9 }),
  };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = (["br", "gzip"] as const).find((name) => accepts(accepted, name));
  // Each encoding has its own ETag, because a cache must not mix them up.
  const etag = `"${page.tag}-${encoding ?? "plain"}"`;
  reply.headers({ "cache-control": "no-cache", vary: "cookie, accept-encoding", etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type("text/html; charset=utf-8").send(page[encoding ?? "plain"]);
}

function accepts(header: string, name: string): boolean {
  return header.split(",").some((offer) => {
    const [named, ...parameters] = offer.split(";").map((part) => part.trim());
    return named === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
