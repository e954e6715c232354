import { NotAllowed } from "#server/models/remote/connection.ts";
import { TokenRefused } from "#server/models/remote/gigachat-token.ts";
import { bodyOf, isContentRefusal, retryAfter, statusOf, summary } from "#server/models/remote/provider-errors.ts";
import { Problem, upstream } from "#server/platform/errors.ts";
import type { RefusableOption } from "./learnt-options.ts";
import { contextOf, isOverflow } from "./non-streaming-answers.ts";

/** The prompt exceeds the model's context. If shortening does not help, the model has rejected the request. */
export class Overflow extends Problem {
  readonly contextTokens: number | null;

  constructor(refused: Problem, contextTokens: number | null) {
    super(refused.status, refused.code, refused.message, { cause: refused.cause });
    this.contextTokens = contextTokens;
  }
}

export function overflowOf(error: unknown): Overflow | null {
  const status = statusOf(error);
  if (status !== 400 && status !== 413 && status !== 422 && status !== 500) return null;
  const body = bodyOf(error);
  return isOverflow(body) ? new Overflow(failure(error, false), contextOf(body)) : null;
}

/** The server refused the request itself, as it does with an option that it does not know. */
export class RequestRefused extends Problem {
  /** The option that it has named; null: none. */
  readonly option: RefusableOption | null;

  constructor(refused: Problem, option: RefusableOption | null) {
    super(refused.status, refused.code, refused.message, { cause: refused.cause });
    this.option = option;
  }
}

const NAMES: readonly (readonly [RefusableOption, RegExp])[] = [
  ["temperature", /temperature/i],
  ["thinking", /reasoning|thinking|chat_template_kwargs/i],
  ["format", /response_format|json_schema|json_object|structured/i],
];

/** The body is searched for an option's name alone. */
function optionNamedIn(body: string): RefusableOption | null {
  const beginning = body.slice(0, 4000);
  return NAMES.find(([, name]) => name.test(beginning))?.[0] ?? null;
}

export class MalformedAnswer extends Error {}
export class CutAnswer extends Error {}
export class ModelRefused extends Error {}

export const isUnfinishedStream = (error: unknown) =>
  error instanceof Error && error.name === "AI_InvalidResponseDataError";

/** OpenRouter says it with the status of a refused key. */
const isRefusedForContent = (error: unknown): boolean =>
  [400, 403, 422, 451].includes(statusOf(error) ?? 0) && isContentRefusal(bodyOf(error));

/** Never includes the provider's message, which may quote the prompt. */
export function failure(error: unknown, timedOut: boolean): Problem {
  const cause = new Error(summary(error));
  const again = "Попробуйте еще раз через минуту.";
  if (error instanceof NotAllowed)
    return upstream(
      "model_not_allowed",
      "Действует правило «только локальная модель», а выбранная модель стоит на чужом сервере.",
      { cause },
    );
  if (timedOut) return upstream("model_timeout", `Модель не ответила вовремя. ${again}`, { cause });
  if (error instanceof ModelRefused || isRefusedForContent(error))
    return upstream("model_refused", "Модель отказалась отвечать на это сообщение.", { cause });
  if (error instanceof CutAnswer) return upstream("model_cut", `Ответ модели оборвался. ${again}`, { cause });
  if (error instanceof MalformedAnswer)
    return upstream("model_malformed", `Модель прислала непонятный ответ. ${again}`, { cause });
  const status = statusOf(error);
  const wait = retryAfter(error);
  if (status === 429)
    return upstream("model_busy", `Модель перегружена. ${again}`, {
      cause,
      ...(wait === undefined ? {} : { retryAfter: wait }),
    });
  if (status === 402)
    return upstream(
      "model_unpaid",
      "У поставщика модели закончились оплаченные токены: пополните счёт в его кабинете.",
      {
        cause,
      },
    );
  if (status === 401 || status === 403 || error instanceof TokenRefused)
    return upstream("model_rejected", "Модель не приняла ключ доступа. Проверьте настройки модели.", { cause });
  if (status !== undefined && status >= 400 && status < 500) {
    const refused = upstream("model_rejected", "Модель не приняла запрос. Проверьте настройки модели.", { cause });
    const mayBeOption = status === 400 || status === 422;
    return mayBeOption ? new RequestRefused(refused, optionNamedIn(bodyOf(error))) : refused;
  }
  const cut = status === 200 || (error instanceof TypeError && error.message === "terminated");
  if (cut) return upstream("model_cut", `Ответ модели оборвался. ${again}`, { cause });
  return upstream("model_failed", `Модель не ответила. ${again}`, {
    cause,
    ...(wait === undefined ? {} : { retryAfter: wait }),
  });
}
