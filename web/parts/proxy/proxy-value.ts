export const SYSTEM_PROXY_HINT = "Если система отсюда недоступна: socks5://имя:пароль@сервер:порт или http://…";

/** A proxy in a form: what was entered, and what is stored and stays where nothing is. */
export interface ProxyValue {
  entered: string;
  /** «SOCKS5 proxy.example.com:1080»; null: there is none, or it is to be removed. */
  stored: string | null;
}

export const storedProxy = (stored: string | null = null): ProxyValue => ({ entered: "", stored });

/** The field of a call: absent leaves the stored proxy, "" removes it. */
export function proxyInput({ entered, stored }: ProxyValue): { proxy?: string } {
  if (entered.trim() !== "") return { proxy: entered.trim() };
  return stored === null ? { proxy: "" } : {};
}
