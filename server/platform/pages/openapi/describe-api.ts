import * as z from "zod/mini";
import { CompletionError } from "#contract/conversations/chat-completions.ts";
import type { Access, Endpoint } from "#contract/endpoint.ts";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { API_KEY_PREFIX } from "#contract/integrations/api-keys.ts";
import { DocumentUploadFields } from "#contract/knowledge/knowledge.ts";
import { ProblemBody } from "#contract/problem.ts";

export type JsonSchema = Record<string, unknown>;

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
}

const file = { type: "string", contentMediaType: "application/octet-stream" };
/** Endpoints with multipart bodies, which the contract's JSON schemas do not describe. */
const FORMS: Record<string, JsonSchema> = {
  "POST /api/imports": {
    type: "object",
    properties: { digitalTwinId: { type: "string", format: "uuid" }, file },
    required: ["digitalTwinId", "file"],
  },
  "POST /api/knowledge/upload": withFile(jsonSchema(DocumentUploadFields, "input")),
};
/** Endpoints that respond with an event stream, most of them only on request. */
const STREAMS = new Set([
  "POST /api/ai-generate",
  "POST /v1/chat/completions",
  "GET /api/events",
  "POST /widget/:id/messages",
]);

const WHO: Record<Access, string> = {
  public: "Без входа.",
  "signed-in": "Любой участник организации.",
  editor: "Участник организации, кроме роли «только чтение».",
  org_admin: "Администратор организации.",
  super_admin: "Администратор платформы.",
  key: "Программа с ключом двойника.",
};

const PROBLEMS: Record<number, string> = {
  400: "Неверный запрос",
  401: "Нужно войти",
  403: "Недостаточно прав",
  404: "Не найдено",
  409: "Сейчас это невозможно",
  413: "Слишком большой запрос",
  415: "Не тот тип данных",
  422: "Запрос понятен, но выполнить его нельзя",
  429: "Слишком много запросов (заголовок Retry-After)",
  503: "Временно недоступно (заголовок Retry-After)",
};

export function describeApi(endpoints: readonly Endpoint[], version: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const declared of endpoints) {
    const path = declared.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [declared.method.toLowerCase()]: describeEndpoint(declared) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Цифровые двойники",
      version,
      description:
        "Вход: POST /api/auth/email/login отвечает токеном; он идёт в заголовке Authorization: Bearer. Браузеру вместе с токеном " +
        "выдаётся cookie, тогда нужны оба. Все ошибки имеют одну форму: message (по-русски), code, requestId. Вызовы /v1 говорят на " +
        "языке OpenAI: ключ двойника в том же заголовке и ошибки вида { error: { message, type, code, param } }. Вызовы /widget делает " +
        "окно чата на сайте: посетителя называет заголовок x-visitor, 32 случайных байта в base64url.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Problem: withCodes(jsonSchema(ProblemBody, "output")),
        CompletionError: jsonSchema(CompletionError, "output"),
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        key: { type: "http", scheme: "bearer", bearerFormat: `${API_KEY_PREFIX}…` },
      },
    },
  };
}

function describeEndpoint(declared: Endpoint): Operation {
  const { method, path, access, status, summary, params, query, headers, input, output } = declared;
  const key = `${method} ${path}`;
  const form = FORMS[key];
  const content: Record<string, { schema: JsonSchema }> = {};
  if (input !== undefined) content["application/json"] = { schema: jsonSchema(input, "input") };
  if (form !== undefined) content["multipart/form-data"] = { schema: form };
  const hasBody = Object.keys(content).length > 0;
  const answers: Record<string, { schema: JsonSchema }> = {};
  if (output !== undefined) answers["application/json"] = { schema: jsonSchema(output, "output") };
  if (STREAMS.has(key)) answers["text/event-stream"] = { schema: { type: "string" } };
  return {
    operationId: operationId(method, path),
    summary,
    description: WHO[access],
    tags: [tagOf(declared)],
    security: access === "public" ? [] : [{ [access === "key" ? "key" : "bearer"]: [] }],
    parameters: [
      ...parametersOf(params, "path"),
      ...parametersOf(query, "query"),
      ...parametersOf(headers, "header"),
      ...(method === "POST" && access !== "public" && access !== "key" && form === undefined ? [IDEMPOTENCY] : []),
    ],
    ...(hasBody ? { requestBody: { required: !takesNothing(input), content } } : {}),
    responses: {
      [status]: { description: "Успех", ...(Object.keys(answers).length === 0 ? {} : { content: answers }) },
      ...Object.fromEntries(problemsOf(declared, hasBody).map((code) => [code, problem(code, access === "key")])),
    },
  };
}

const takesNothing = (input: Endpoint["input"]) => input?.safeParse(undefined).success === true;

const IDEMPOTENCY = {
  name: "Idempotency-Key",
  in: "header" as const,
  required: false,
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

function problemsOf({ access, params, method }: Endpoint, hasBody: boolean): number[] {
  const codes = [400, 429, 503];
  if (access !== "public") codes.push(401, 403);
  if (params !== undefined || hasBody) codes.push(404);
  if (method !== "GET") codes.push(409, 413, 415, 422);
  return codes.sort((a, b) => a - b);
}

const problem = (code: number, ofKey: boolean) => ({
  description: code === 401 && ofKey ? "Ключ не подходит" : PROBLEMS[code]!,
  content: {
    "application/json": { schema: { $ref: `#/components/schemas/${ofKey ? "CompletionError" : "Problem"}` } },
  },
});

function parametersOf(schema: Endpoint["params"], place: "path" | "query" | "header"): Operation["parameters"] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: described,
  }));
}

function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _dialect,
    "~standard": _standard,
    ...described
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  }) as JsonSchema;
  return described;
}

function withFile(fields: JsonSchema): JsonSchema {
  return {
    ...fields,
    properties: { ...(fields.properties as object), file: { type: "array", items: file, minItems: 1, maxItems: 20 } },
    required: [...(fields.required as string[]), "file"],
  };
}

const tagOf = ({ path }: Pick<Endpoint, "path">): string =>
  path.startsWith("/api/") ? path.split("/")[2]!.replace(/\.\w+$/, "") : path.split("/")[1]!;

function operationId(method: string, path: string): string {
  const words = path.replace("/api/", "").match(/[a-z]+/gi)!;
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

/** Adds all error codes to the schema, so that generated clients get a type for them. */
function withCodes(problem: JsonSchema): JsonSchema {
  return { ...problem, properties: { ...(problem.properties as object), code: { type: "string", enum: ERROR_CODES } } };
}
