/** Reasons why a connection through a proxy fails. No error contains the proxy's name, password or secret. */

export type ProxyProblem =
  /** The proxy's name cannot be resolved, or resolves to a private network that only the operator may name. */
  | "name"
  | "private"
  /** The proxy refuses connections, or nothing answers at its address. */
  | "refused"
  | "unreachable"
  /** The server at the address is not a proxy of this kind. */
  | "protocol"
  | "tls"
  | "login"
  | "login-missing"
  /** The proxy forbids the target, or cannot reach it. */
  | "forbidden"
  | "target"
  /** The proxy accepts the connection and then sends nothing, or closes it. */
  | "silent"
  | "cut"
  | "secret";

export class ProxyFailure extends Error {
  override name = "ProxyFailure";
  readonly problem: ProxyProblem;

  constructor(problem: ProxyProblem) {
    super(`proxy: ${problem}`);
    this.problem = problem;
  }
}

/** What happened, and what the owner can do about it. */
export const PROXY_PROBLEMS: Record<ProxyProblem, { said: string; advice: string }> = {
  name: { said: "Сервер прокси не найден", advice: "Проверьте имя сервера прокси: скорее всего, в нём опечатка." },
  private: {
    said: "Прокси в частной сети",
    advice: "Такой адрес может задать только тот, кто управляет установкой.",
  },
  refused: { said: "Прокси не принимает соединения", advice: "Проверьте порт и то, что прокси запущен и оплачен." },
  unreachable: {
    said: "Прокси не отвечает",
    advice: "Проверьте адрес и порт прокси. Если они верны, его может закрывать ваш провайдер: попробуйте другой.",
  },
  protocol: {
    said: "По этому адресу отвечает не такой прокси",
    advice: "Проверьте вид (socks5:// или http://) и порт: у одного продавца они разные.",
  },
  tls: {
    said: "Сертификат прокси не проходит проверку",
    advice: "Для обычного HTTP-прокси адрес начинается с http://, а не с https://.",
  },
  login: { said: "Прокси не принимает имя и пароль", advice: "Скопируйте их заново; проверьте, оплачен ли прокси." },
  "login-missing": {
    said: "Прокси требует имя и пароль",
    advice: "Добавьте их в адрес: socks5://имя:пароль@сервер:порт.",
  },
  forbidden: {
    said: "Прокси не пускает к этому серверу",
    advice: "Спросите у хозяина прокси, разрешены ли этот сервер и порт, или возьмите другой прокси.",
  },
  target: {
    said: "Прокси не может соединиться с этим сервером",
    advice: "Возьмите прокси в другой стране: оттуда, где он стоит, сервер недоступен.",
  },
  silent: {
    said: "Прокси принял соединение и молчит",
    advice: "Проверьте вид и порт прокси. Если они верны, он перегружен: попробуйте позже или другой.",
  },
  cut: {
    said: "Прокси оборвал соединение",
    advice: "Проверьте вид прокси, имя и пароль. Если они верны, попробуйте позже или другой прокси.",
  },
  secret: {
    said: "MTProxy не принимает secret",
    advice: "Скопируйте ссылку на MTProxy заново целиком: secret мог смениться.",
  },
};

/** A Russian sentence about an error for the owner of the proxy, with what he can do; null where the proxy is not to blame. */
export function proxySentence(error: unknown): string | null {
  const failure = proxyFailureOf(error);
  if (failure === null) return null;
  const { said, advice } = PROXY_PROBLEMS[failure.problem];
  return `${said}. ${advice}`;
}

/** Finds the proxy's failure in an error that a client has wrapped. */
export function proxyFailureOf(error: unknown): ProxyFailure | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 6; depth++) {
    if (each instanceof ProxyFailure) return each;
    each = each.cause ?? (each as { error?: unknown }).error ?? (each as { original?: unknown }).original;
  }
  return null;
}
