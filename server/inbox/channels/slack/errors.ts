/** Maps Slack's errors to results. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from "@slack/web-api";
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import { isUnsent } from "#server/inbox/channel-protocol/is-unsent.ts";

/** Silences the client, which would write tokens and messages to the console; its errors contain what is needed. */
export const quietLog: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

const TOKEN_REFUSED = "Slack не принимает ключ бота. Установите приложение в пространство заново.";
const NO_RIGHT = "Боту не хватает права в Slack: нужны chat:write, im:history и users:read";
const WRONG_KIND = "Это ключ другого вида: нужны ключ бота (xoxb-) и App-Level Token (xapp-)";

const AUTH: Record<string, string> = {
  invalid_auth: TOKEN_REFUSED,
  not_authed: TOKEN_REFUSED,
  token_revoked: TOKEN_REFUSED,
  token_expired: TOKEN_REFUSED,
  account_inactive: TOKEN_REFUSED,
  org_login_required: TOKEN_REFUSED,
  team_disabled: TOKEN_REFUSED,
  user_removed_from_team: TOKEN_REFUSED,
  missing_scope: NO_RIGHT,
  no_permission: NO_RIGHT,
  not_allowed_token_type: WRONG_KIND,
};
const BLOCKED = new Set([
  "user_disabled",
  "cannot_dm_bot",
  "is_archived",
  "messages_tab_disabled",
  "restricted_action",
]);
/** Faults inside Slack, after which it may have accepted the message nevertheless. */
const OWN_FAULTS = new Set([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
]);

export function sendFailure(error: unknown): SendFailure {
  if (error instanceof WebAPIRateLimitedError) {
    return { ok: false, kind: "retry", afterMs: error.retryAfter * 1000, message: "Slack просит подождать" };
  }
  const code = error instanceof WebAPIPlatformError ? error.data.error : null;
  if (code !== null && !OWN_FAULTS.has(code)) {
    const auth = AUTH[code];
    if (auth !== undefined) return { ok: false, kind: "auth", message: auth };
    if (code === "ratelimited" || code === "rate_limited")
      return { ok: false, kind: "retry", afterMs: 5_000, message: "Slack просит подождать" };
    if (BLOCKED.has(code)) return { ok: false, kind: "blocked", message: "Собеседнику в Slack больше нельзя написать" };
    return { ok: false, kind: "invalid", message: "Slack не принял сообщение" };
  }
  if (error instanceof WebAPIRequestError && isUnsent(error.original)) {
    return { ok: false, kind: "retry", afterMs: 5_000, message: "Slack недоступен", away: true };
  }
  return { ok: false, kind: "unknown", message: "Связь со Slack прервалась: дошло ли сообщение, неизвестно" };
}

/** Words the error anew, because the client's errors quote what was sent. @throws ChannelTrouble always */
export function rethrowTrouble(error: unknown): never {
  if (error instanceof ChannelTrouble) throw error;
  if (error instanceof WebAPIRateLimitedError) {
    throw new ChannelTrouble("away", "Slack просит подождать", error.retryAfter * 1000);
  }
  if (error instanceof WebAPIPlatformError) {
    const auth = AUTH[error.data.error];
    if (auth !== undefined) throw new ChannelTrouble("auth", auth);
  }
  if (error instanceof WebAPIHTTPError && error.statusCode === 401) throw new ChannelTrouble("auth", TOKEN_REFUSED);
  throw new ChannelTrouble("away", "Slack недоступен");
}
