import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { PRODUCT_VERSION } from "#server/platform/http/product-version.ts";
import { route } from "#server/platform/http/route.ts";
import { describeApi, type OpenApi } from "./openapi/describe-api.ts";
import { docsPage, docsStyle } from "./openapi/docs-page.ts";

const openApiEndpoint = endpoint("GET /api/openapi.json", {
  access: "public",
  summary: "Это описание: OpenAPI 3.1",
  output: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
});

/** Content security policy of the page, which has neither scripts nor forms nor pictures. */
const PAGE_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Mounts `GET /api/openapi.json` and `GET /api/docs`; they describe everything that is mounted before the first request. */
export function mountOpenApi(app: FastifyInstance, publicUrl: string): void {
  let document: OpenApi | undefined;
  const described = () => (document ??= describeApi([...app.endpoints, ...app.otherEndpoints], PRODUCT_VERSION));
  route(app, openApiEndpoint, () => described() as never);
  app.get("/api/docs", (_request, reply) =>
    reply
      .header("content-security-policy", PAGE_POLICY)
      .type("text/html; charset=utf-8")
      .send(docsPage(described(), publicUrl)),
  );
  app.get("/api/docs.css", (_request, reply) => reply.type("text/css; charset=utf-8").send(docsStyle));
}
