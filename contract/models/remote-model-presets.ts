/** Presets for model providers that an organisation may connect; a new provider is one entry here. */

export const REMOTE_PRESETS = ["gigachat", "yandexgpt", "openrouter", "ollama", "vllm", "compatible"] as const;
export type RemotePresetId = (typeof REMOTE_PRESETS)[number];

export const CURRENCIES = ["RUB", "USD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Kinds of GigaChat contract that a key may belong to (developers.sber.ru, «Получить токен доступа», read 2026-11-23). */
export const GIGACHAT_SCOPES = ["GIGACHAT_API_PERS", "GIGACHAT_API_B2B", "GIGACHAT_API_CORP"] as const;
export type GigachatScope = (typeof GIGACHAT_SCOPES)[number];

export const GIGACHAT_AUTH_URL = "https://ngw.devices.sberbank.ru:9443/api/v2/oauth";

interface PublicPrice {
  /** Price of 1,000 tokens in the preset's currency. */
  input: number;
  output: number;
  /** URL of the price list. */
  source: string;
  /** When the price list was read. */
  date: string;
}

interface RemotePreset {
  id: RemotePresetId;
  name: string;
  baseUrl: string;
  /** Prefilled model name; the user must replace parts in `<…>`. */
  model: string;
  /** Label of the key field; null when no key is needed. */
  keyLabel: string | null;
  keyOptional: boolean;
  howToGetKey: string;
  currency: Currency;
  /** null when the price depends on the model or is not public, so that the user enters the price of their contract. */
  price: PublicPrice | null;
  /** URL of the provider's current prices; null for a self-hosted server. */
  pricesAt: string | null;
  /** An additional root certificate that the provider's server requires; null for none. */
  rootCertificate: string | null;
}

export const PRESETS: Record<RemotePresetId, RemotePreset> = {
  gigachat: {
    id: "gigachat",
    name: "GigaChat",
    baseUrl: "https://gigachat.devices.sberbank.ru/api/v1",
    model: "GigaChat-2",
    keyLabel: "Ключ авторизации",
    keyOptional: false,
    howToGetKey:
      "В личном кабинете developers.sber.ru создайте проект GigaChat API, откройте «Настройки API» и нажмите «Получить ключ».",
    currency: "RUB",
    price: null,
    pricesAt: "https://developers.sber.ru/docs/ru/gigachat/models",
    rootCertificate: "Russian Trusted Root CA",
  },
  yandexgpt: {
    id: "yandexgpt",
    name: "YandexGPT",
    baseUrl: "https://llm.api.cloud.yandex.net/v1",
    model: "gpt://<идентификатор каталога>/yandexgpt/latest",
    keyLabel: "API-ключ",
    keyOptional: false,
    howToGetKey:
      "В консоли Yandex Cloud создайте сервисный аккаунт с ролью «ai.languageModels.user» и выпустите для него API-ключ; идентификатор каталога виден в его адресе.",
    currency: "RUB",
    price: null,
    pricesAt: "https://yandex.cloud/ru/docs/ai-studio/pricing",
    rootCertificate: null,
  },
  openrouter: {
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    model: "qwen/qwen3-30b-a3b",
    keyLabel: "API-ключ",
    keyOptional: false,
    howToGetKey: "На openrouter.ai откройте раздел Keys, создайте ключ и пополните счёт.",
    currency: "USD",
    price: null,
    pricesAt: "https://openrouter.ai/models",
    rootCertificate: null,
  },
  ollama: {
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    model: "qwen3:4b",
    keyLabel: "Ключ доступа",
    keyOptional: true,
    howToGetKey: "Ключ нужен, только если перед Ollama стоит сервер, который его спрашивает.",
    currency: "RUB",
    price: { input: 0, output: 0, source: "собственный сервер", date: "2026-11-23" },
    pricesAt: null,
    rootCertificate: null,
  },
  vllm: {
    id: "vllm",
    name: "vLLM",
    baseUrl: "http://localhost:8000/v1",
    model: "Qwen/Qwen3-4B",
    keyLabel: "Ключ доступа",
    keyOptional: true,
    howToGetKey: "Это значение, с которым запущен vLLM: «--api-key»; без него ключ не нужен.",
    currency: "RUB",
    price: { input: 0, output: 0, source: "собственный сервер", date: "2026-11-23" },
    pricesAt: null,
    rootCertificate: null,
  },
  compatible: {
    id: "compatible",
    name: "Другой сервер, совместимый с OpenAI",
    baseUrl: "https://",
    model: "",
    keyLabel: "API-ключ",
    keyOptional: true,
    howToGetKey: "Ключ выдаёт тот, кому принадлежит сервер.",
    currency: "RUB",
    price: null,
    pricesAt: null,
    rootCertificate: null,
  },
};
