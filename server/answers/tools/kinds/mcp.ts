/** An action of an MCP server that the owner has chosen. What the server says of it reaches no model. */
import { LISTING_FRESH_MINUTES } from "#contract/actions/tool-connections.ts";
import { TOOL_TIMEOUT_MS } from "#contract/actions/tool-settings.ts";
import { callAction } from "#server/answers/mcp/call.ts";
import { NO, YES } from "#server/answers/mcp/fields.ts";
import { ServerTrouble } from "#server/answers/mcp/trouble.ts";
import { asTenant } from "#server/platform/db/database.ts";
import type { ActArgument, SettingsOfKind, StoredOffer } from "#server/platform/db/schema/tools.ts";
import { notFound } from "#server/platform/errors.ts";
import { CHANGED, connectionOf, GONE, renewListing, visitConnection } from "../connections.ts";
import { listsPlaces, resultIn, scalarIn } from "../json-result.ts";
import { refusedInput, requireNames } from "../refused-input.ts";
import type { CallOutcomeOf, InputOf, ToolKind } from "../tool-kind.ts";

export const mcpKind: ToolKind<"mcp"> = {
  fieldsOf: ({ fields }) => fields,
  targetOf: ({ host, name }) => `MCP ${host}/${name}`.slice(0, 200),
  requireSound: (_config, { fields }) => requireNames(fields),

  async store(tx, { twinId }, input) {
    const connection = await connectionOf(tx, input.connectionId);
    if (connection === null || connection.twinId !== twinId || connection.kind !== "mcp")
      throw notFound("Подключение не найдено", "tool_connection_not_found");
    const offer = connection.listing?.offers.find(({ name }) => name === input.name);
    if (offer === undefined) throw refusedInput("settings", GONE);
    requireOffered(offer, input);
    const sent = Object.fromEntries(
      Object.entries(offer.sent).filter(([name]) => input.fields.some((each) => each.name === name)),
    );
    return { ...input, host: new URL(connection.url).host, sent, seen: offer.mark };
  },

  secretsOf: () => ({}),
  bind: async () => {},
  show: ({ sent: _, seen: __, ...settings }, { connection }) => ({ ...settings, connection: connection! }),
  connectionOf: ({ connectionId }) => connectionId,

  preview: (settings, values) => ({
    ...{ method: "MCP", url: `${settings.host}/${settings.name}` },
    body: JSON.stringify(argumentsOf(settings, values)),
  }),

  async call(deps, tenant, { settings, changes }, { values, idempotencyKey, signal }) {
    const failed = (reason: string): CallOutcomeOf => ({ kind: "failed", reason, status: null, answer: "" });
    const row = await asTenant(deps.db, tenant, (tx) => connectionOf(tx, settings.connectionId));
    if (row === null) return failed("Сервер отключён");
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TOOL_TIMEOUT_MS)]);
    try {
      return await visitConnection(deps, tenant, row, limits, async (visit) => {
        const age = Date.now() - (row.checkedAt?.getTime() ?? 0);
        if (age > LISTING_FRESH_MINUTES * 60_000) await renewListing(deps, tenant, row, visit);
        const now = await asTenant(deps.db, tenant, (tx) => connectionOf(tx, row.id));
        const offer = now?.listing?.offers.find(({ name }) => name === settings.name);
        if (offer?.mark !== settings.seen) return failed(offer === undefined ? GONE : CHANGED);
        const order = { name: settings.name, values: argumentsOf(settings, values), idempotencyKey };
        return outcomeOf(settings, changes, await callAction(visit, order));
      });
    } catch (error) {
      if (!(error instanceof ServerTrouble)) throw error;
      // Nothing was sent yet but what reads.
      return failed(error.message);
    }
  },
};

function outcomeOf(
  settings: SettingsOfKind["mcp"],
  changes: boolean,
  answer: Awaited<ReturnType<typeof callAction>>,
): CallOutcomeOf {
  const shown = { status: null, answer: answer.text };
  const lost = changes ? "unknown" : "failed";
  if (answer.kind !== "answered")
    return { kind: answer.kind === "lost" ? lost : "failed", reason: answer.reason, ...shown };
  const { json, text } = answer;
  if (json === undefined && listsPlaces(settings))
    return { kind: lost, reason: "Ответ сервера не в том виде, который описан", ...shown };
  const result = resultIn(settings, json ?? text);
  if (result.length === 0 && !changes) return { kind: "absent", ...shown };
  return { kind: "done", result, read: (source) => scalarIn(json, source), ...shown };
}

/** The values as the server's schema has them. */
function argumentsOf({ sent }: SettingsOfKind["mcp"], values: readonly ActArgument[]): Record<string, unknown> {
  return Object.fromEntries(
    values.map(({ name, value }) => {
      const as = Object.hasOwn(sent, name) ? sent[name] : null;
      return [name, as === "number" ? Number(value) : as === "boolean" ? value === YES : value];
    }),
  );
}

/** @throws Problem 400 where the fields are not those that the server takes */
function requireOffered({ fields: offered, sent, refusal }: StoredOffer, { fields }: InputOf<"mcp">): void {
  if (refusal !== null) throw refusedInput("settings", refusal);
  const missing = offered.find(
    ({ name, required }) => required && !fields.some((field) => field.name === name && field.required),
  );
  if (missing !== undefined) throw refusedInput("settings", `Сервер требует поле ${missing.name}`);
  for (const { name, type, choices } of fields) {
    const own = offered.find((field) => field.name === name);
    if (own === undefined) throw refusedInput("settings", `У сервера нет поля ${name}`);
    const isSame =
      sent[name] === "number" ? type === "number" : own.type === "choice" ? isPartOf(choices, own.choices) : true;
    if (!isSame || (own.type === "choice" && type !== "choice"))
      throw refusedInput(
        "settings",
        `Поле ${name} сервер понимает иначе: ${sent[name] === "number" ? "это число" : `это выбор из ${listOf(own.choices)}`}`,
      );
  }
}

const isPartOf = (some: readonly string[], all: readonly string[]): boolean => some.every((one) => all.includes(one));
const listOf = (choices: readonly string[]): string => choices.join(choices.includes(NO) ? " и " : ", ").slice(0, 120);
