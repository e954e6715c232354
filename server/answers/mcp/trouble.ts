/** What kept an MCP server from answering, as a Russian sentence for the owner. No words of the server stand in it. */
import { proxySentence } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";

/** refused: it was surely not done. lost: it may have been done. sign-in: the server wants a key or a sign-in. */
export type TroubleKind = "refused" | "lost" | "sign-in";

export class ServerTrouble extends Error {
  readonly kind: TroubleKind;

  constructor(kind: TroubleKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.kind = kind;
  }
}

/** The server sends elsewhere; nobody follows. */
export class Redirected extends Error {}

/** Errors before the first byte of a request. */
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "CERT_HAS_EXPIRED"]);
/** JSON-RPC: a wrong request, an unknown method, wrong parameters. */
const NOT_TAKEN = new Set([-32600, -32601, -32602]);
/** The library's own codes: the connection was closed, the deadline has passed. */
const NOT_ANSWERED = new Set([-32000, -32001]);

export function troubleOf(error: unknown): ServerTrouble {
  if (error instanceof ServerTrouble) return error;
  const trouble = (kind: TroubleKind, sentence: string) => new ServerTrouble(kind, sentence, { cause: error });
  const ofProxy = proxySentence(error);
  if (ofProxy !== null) return trouble("refused", ofProxy);
  if (error instanceof PrivateAddress) return trouble("refused", "Адрес не публичный: запрос не отправлен");
  if (error instanceof Redirected) return trouble("refused", "Сервер перенаправляет на другой адрес");
  if (error instanceof RangeError) return trouble("lost", "Ответ сервера слишком длинный");
  const { name = "", code } = (error ?? {}) as { name?: string; code?: unknown };
  if (name === "StreamableHTTPError" || error?.constructor.name === "StreamableHTTPError")
    return ofStatus(code, trouble);
  if (error?.constructor.name === "McpError") {
    if (NOT_TAKEN.has(Number(code)))
      return trouble("refused", "Сервер отказал: такого действия или таких полей у него нет");
    return NOT_ANSWERED.has(Number(code))
      ? trouble("lost", "Сервер не ответил вовремя")
      : trouble("lost", "Сервер ответил ошибкой");
  }
  if (typeof code === "string" && UNSENT.has(code)) return trouble("refused", "Сервер не отвечает: соединения нет");
  if (name === "ZodError" || name === "$ZodError" || name === "SyntaxError")
    return trouble("lost", "По этому адресу отвечает не сервер MCP");
  return trouble("lost", "Сервер не ответил вовремя");
}

function ofStatus(code: unknown, trouble: (kind: TroubleKind, sentence: string) => ServerTrouble): ServerTrouble {
  const status = Number(code);
  if (status === 401) return trouble("sign-in", "Сервер просит войти: нужен ключ или вход OAuth");
  if (status >= 400 && status < 500) return trouble("refused", `Сервер отказал: ответ ${status}`);
  if (status >= 500) return trouble("lost", `Сервер ответил ошибкой ${status}`);
  return trouble("lost", "По этому адресу отвечает не сервер MCP");
}
