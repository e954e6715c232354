/** The whole server for a test file: real database, real jobs, requests through Fastify's inject. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import type { Role } from "#contract/organizations/auth.ts";
import { createSession } from "#server/accounts/auth/sessions.ts";
import { PASSWORD_COST } from "#server/accounts/credentials/passwords.ts";
import { createApp } from "#server/app.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { createLog, type Log } from "#server/platform/log.ts";
import { LoadShedder } from "#server/platform/process/load-shedder.ts";
import { createServices, type Services } from "#server/services.ts";
import { jobHandlers } from "#server/workers.ts";
import { openTestDatabase } from "./database.ts";

type Body = InjectOptions["payload"];

export interface TestClient {
  caller: Omit<Caller, "sessionId">;
  token: string;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
  get(path: string): Promise<LightMyRequestResponse>;
  post(path: string, body?: Body): Promise<LightMyRequestResponse>;
  put(path: string, body?: Body): Promise<LightMyRequestResponse>;
  delete(path: string): Promise<LightMyRequestResponse>;
}

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  /** A new user, in an organisation of his own or in `organizationId`; an API client's unbound session. */
  signUp(options?: {
    role?: Role;
    organizationId?: string;
    superAdmin?: boolean;
    confirmed?: boolean;
  }): Promise<TestClient>;
  /** Without any credentials. */
  anonymous: Pick<TestClient, "inject" | "get" | "post" | "put" | "delete">;
  /** Resolves when no job waits or runs. */
  jobsIdle(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** @param log given by tests that read what is logged; else nothing is logged. */
export async function testApp(
  overrides: Partial<Config> = {},
  log: Log = createLog(overrides.logLevel ?? "silent"),
  options: { shedder?: (db: Database) => LoadShedder } = {},
): Promise<TestApp> {
  // What a hash costs is tested where hashes are.
  Object.assign(PASSWORD_COST, { memory: 64, passes: 1 });
  const dataDir = await mkdtemp(join(tmpdir(), "dt-test-"));
  const config: Config = {
    ...readConfig({
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      REQUESTS_PER_MINUTE: "0",
      DEMO: "0",
      DATA_DIR: dataDir,
      // Nothing listens there: a test that needs a platform starts one.
      TELEGRAM_API_ROOT: "http://127.0.0.1:9",
      WHATSAPP_GRAPH_URL: "http://127.0.0.1:9",
      SLACK_API_URL: "http://127.0.0.1:9",
      DISCORD_API_URL: "http://127.0.0.1:9",
      MAX_API_URL: "http://127.0.0.1:9",
      VK_API_URL: "http://127.0.0.1:9",
      AMOCRM_URL: "http://127.0.0.1:9",
      BITRIX24_URL: "http://127.0.0.1:9",
      EMAIL_IMAP_URL: "imaps://127.0.0.1:9",
      EMAIL_SMTP_URL: "smtps://127.0.0.1:9",
      TELEGRAM_DC: "127.0.0.1:9",
      MODEL_HUB_URL: "http://127.0.0.1:9",
    }),
    ...overrides,
  };
  const t = (await startApp(config, log, options)) as TestApp;

  const clientWith = (headers: Record<string, string>) => {
    const inject = (options: InjectOptions) =>
      t.app.inject({ ...options, headers: { ...headers, ...(options.headers as Record<string, string>) } });
    return {
      inject,
      get: (path: string) => inject({ method: "GET", url: path }),
      post: (path: string, body?: Body) =>
        inject({ method: "POST", url: path, ...(body === undefined ? {} : { payload: body }) }),
      put: (path: string, body?: Body) =>
        inject({ method: "PUT", url: path, ...(body === undefined ? {} : { payload: body }) }),
      delete: (path: string) => inject({ method: "DELETE", url: path }),
    };
  };

  return Object.assign(t, {
    anonymous: clientWith({}),
    async signUp({ role = "org_admin", organizationId, superAdmin = false, confirmed = true } = {}) {
      const { db } = t.services;
      const [user] = await db
        .insert(users)
        .values({
          authMethod: "email",
          email: `${randomUUID()}@example.test`,
          emailConfirmedAt: confirmed ? new Date() : null,
          firstName: "Тест",
          superAdmin,
        })
        .returning({ id: users.id });
      const organization =
        organizationId ??
        (await db.insert(organizations).values({ name: "Тестовая" }).returning({ id: organizations.id }))[0]!.id;
      await db.insert(memberships).values({ orgId: organization, userId: user!.id, role });
      const { token } = await createSession(db, { userId: user!.id, organizationId: organization, bound: false });
      return {
        caller: { userId: user!.id, organizationId: organization, role, superAdmin, confirmed },
        token,
        ...clientWith({ authorization: `Bearer ${token}` }),
      };
    },
    async jobsIdle(timeoutMs = 60_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const { rows } = await t.services.db.execute(
          sql`select name, state, retry_count, output from jobs.job where state in ('created', 'retry', 'active')`,
        );
        if (rows.length === 0) return;
        if (Date.now() > deadline) throw new Error(`Jobs did not end in time: ${JSON.stringify(rows)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      const { app, services } = t;
      await app.close();
      await services.jobs.stop(2000);
      await services.modelHost?.end();
      await services.modelRegistry.end();
      await services.downloads.end();
      await services.localMedia.close();
      await services.database.close();
      // A worker never unloads the modules of its test files, so what their variables hold must not hold a closed app.
      Object.assign(t, { app: undefined, services: undefined });
      await rm(dataDir, { recursive: true, force: true });
    },
  } satisfies Omit<TestApp, "app" | "services">);
}

/** In a function of its own, because closures of one function keep all its variables that any of them names. */
async function startApp(
  config: Config,
  log: Log,
  options: { shedder?: (db: Database) => LoadShedder },
): Promise<Pick<TestApp, "app" | "services">> {
  const services = await createServices(config, log, await openTestDatabase());
  const shedder = options.shedder?.(services.db) ?? new LoadShedder(() => 0);
  // A worker of the tests is late whenever its machine is: only who tests shedding has calls refused.
  const app = await createApp(services, { checkAnswers: true, shedder });
  await app.ready();
  await services.jobs.start(jobHandlers(services));
  return { app, services };
}
