import { existsSync } from "node:fs";
import { join } from "node:path";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { Problem } from "#server/platform/errors.ts";
import { answerProblem } from "#server/platform/http/answer-errors.ts";
import { type HasSession, mountLandingPage } from "./landing-page.ts";
import { sendPageFile } from "./page-language.ts";

/** Serves the built web app: hashed assets, cached for ever, and the page for every other URL that a browser opens. */
export async function serveWeb(
  app: FastifyInstance,
  root: string,
  publicUrl: string,
  hasSession: HasSession,
): Promise<void> {
  const built = existsSync(root);
  if (built) {
    const assets = join(root, "assets");
    await app.register(statics, {
      root,
      index: false,
      preCompressed: true,
      cacheControl: false,
      wildcard: false,
      // Routes of their own serve these files, fill in the installation's address and set a policy.
      globIgnore: ["assets/**", "en/**", "index.html*", "landing.html*", "widget.html*"],
      setHeaders: (reply, path) =>
        reply.header("cache-control", path.startsWith(assets) ? "public, max-age=31536000, immutable" : "no-cache"),
    });
    // Any file name, because the build may be replaced while the server runs. The plugin's own wildcard would list the folder for each
    // file, which doubles the cost of serving one.
    app.get<{ Params: { name: string } }>("/assets/:name", (request, reply) =>
      reply.sendFile(request.params.name, assets),
    );
    mountLandingPage(app, root, publicUrl, hasSession);
  }
  app.setNotFoundHandler(async (request, reply) => {
    const page =
      built &&
      ["GET", "HEAD"].includes(request.method) &&
      !/^\/(api|v1|mcp|widget|assets|\.well-known)([/?]|$)/.test(request.url);
    if (page) return sendPageFile(request, reply, root, "index.html");
    return answerProblem(reply, new Problem(404, "not_found", "Не найдено"), request.id);
  });
}
