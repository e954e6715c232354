/** Hints about the format of an integration's proxy, and its validation. */
import type { ResolverResult } from "react-hook-form";
import { type IntegrationForm, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";

export const PROXY_HINT = "Если платформа отсюда недоступна: socks5://имя:пароль@сервер:порт или http://…";
export const TELEGRAM_ACCOUNT_PROXY_HINT =
  "Если Telegram отсюда недоступен: socks5://имя:пароль@сервер:порт или ссылка tg://proxy?… на MTProxy";

/** Adds the proxy's error to a form's errors; its parser is loaded once something was entered. */
export async function withProxyChecked(
  checked: ResolverResult<IntegrationForm>,
  { proxy, platform, apiKey }: IntegrationForm,
): Promise<ResolverResult<IntegrationForm>> {
  const entered = proxy.trim();
  if (entered === "") return checked;
  const { proxyTrouble } = await import("#contract/integrations/proxy-address.ts");
  const message = proxyTrouble(entered, platform === "telegram" && apiKey === USERBOT_API_KEY);
  return message === null ? checked : { values: {}, errors: { ...checked.errors, proxy: { type: "custom", message } } };
}
