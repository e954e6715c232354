/** Diagnoses a connected model from the way a request to it failed. Nothing that a provider wrote is passed on: it may quote the key. */

import type { RemoteProblem } from "#contract/models/remote-model.ts";
import { PRESETS, type RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { NotAllowed, Redirected } from "./connection.ts";
import { TokenRefused } from "./gigachat-token.ts";

const ISSUER = new Set([
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ...["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_UNTRUSTED"],
]);
const UNREACHED = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "EPIPE", "EADDRNOTAVAIL"],
]);

/** Classifies a request that got no response. */
export function problemOfFailure(error: unknown): RemoteProblem {
  if (error instanceof NotAllowed) return "local-only";
  if (error instanceof PrivateAddress) return "private";
  if (error instanceof Redirected) return "redirect";
  if (error instanceof TokenRefused) return problemOfToken(error);
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === "TimeoutError" || name === "AbortError" || code === "ETIMEDOUT" || code === "ABORT_ERR")
    return "timeout";
  if (typeof code !== "string") return "server";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_FAIL") return "dns";
  if (UNREACHED.has(code)) return "refused";
  if (ISSUER.has(code)) return "tls-issuer";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "tls-name";
  if (code.startsWith("HPE_")) return "protocol";
  if (/^(?:CERT_|ERR_TLS_|ERR_SSL_)|^EPROTO$/.test(code)) return "tls";
  return "server";
}

/** GigaChat's error codes: 1, 5 and 7 mean that the key belongs to another contract (errors-description, read 2026-11-23). */
function problemOfToken({ status, code }: TokenRefused): RemoteProblem {
  if (status === 400) return code === 1 || code === 5 || code === 7 ? "scope" : "key";
  if (status === 401 || status === 403) return "key";
  if (status === 429) return "quota";
  return status >= 500 ? "server" : "path";
}

/** Classifies an error response. @param body only searched for known codes */
export function problemOfAnswer(status: number, body: string): RemoteProblem {
  const text = body.slice(0, 4000).toLowerCase();
  const json = /^\s*[[{]/.test(text);
  if (status === 401) return "key";
  if (status === 402 || text.includes("insufficient_quota") || text.includes("insufficient_balance")) return "money";
  if (status === 403) return "access";
  if (status === 429) return "quota";
  if (status === 404 || status === 400 || status === 422) {
    if (json && /model/.test(text)) return "model";
    return status === 404 ? "path" : "protocol";
  }
  if (status === 405 || status === 501) return "path";
  return status >= 500 ? "server" : "protocol";
}

export function sentenceOf(problem: RemoteProblem, preset: RemotePresetId, host: string): string {
  return SENTENCES[problem](PRESETS[preset], host);
}

type Preset = (typeof PRESETS)[RemotePresetId];

const SENTENCES: Record<RemoteProblem, (preset: Preset, host: string) => string> = {
  address: () => "Адрес записан неверно: нужен вид https://models.example/v1.",
  private: () =>
    "Этот адрес ведёт в частную сеть или записан без https, а такие адреса может задать только тот, кто управляет установкой.",
  "local-only": (_, host) =>
    `Сервер ${host} чужой, а действует правило «только локальная модель»: соединение не открывалось.`,
  dns: (_, host) => `Сервер ${host} не найден: проверьте, нет ли опечатки в адресе.`,
  refused: (_, host) => `Сервер ${host} не принимает соединения: проверьте адрес и порт и запущен ли он.`,
  "tls-issuer": ({ rootCertificate, name }, host) =>
    rootCertificate === null
      ? `Сертификат сервера ${host} выдан центром, которого эта установка не знает: её администратор может указать файл корневого сертификата в настройке MODEL_CA_FILE.`
      : `Сертификат сервера ${host} выдан центром, которого эта установка не знает: для ${name} её администратор указывает файл корневого сертификата «${rootCertificate}» в настройке MODEL_CA_FILE.`,
  "tls-name": (_, host) => `Сертификат сервера выдан не для ${host}: проверьте адрес.`,
  tls: (_, host) =>
    `Защищённое соединение с ${host} не удалось: проверьте, что адрес начинается с https и порт указан верно.`,
  key: ({ keyLabel }, host) =>
    `Сервер ${host} не принял ключ: скопируйте ${keyLabel === "Ключ авторизации" ? "ключ авторизации" : "его"} заново целиком.`,
  scope: () =>
    "Ключ выдан не для этого договора: выберите в поле «Договор» тот, что указан в личном кабинете GigaChat.",
  access: ({ id }, host) =>
    id === "yandexgpt"
      ? "Ключ принят, но доступа нет: проверьте роль сервисного аккаунта и идентификатор каталога в названии модели."
      : `Сервер ${host} не разрешает этому ключу обращаться к этой модели.`,
  money: (_, host) => `На счёте у ${host} закончились деньги или оплаченные токены: пополните его в личном кабинете.`,
  quota: (_, host) => `Сервер ${host} просит подождать: исчерпано число запросов, попробуйте через минуту.`,
  model: ({ id }) =>
    id === "ollama"
      ? "Такой модели на сервере нет: загрузите её командой «ollama pull» или исправьте название."
      : "Сервер не знает модели с таким названием: проверьте его.",
  path: ({ baseUrl, id }, host) =>
    id === "compatible"
      ? `По этому адресу на ${host} нет моделей: обычно он кончается на /v1.`
      : `По этому адресу на ${host} нет моделей: обычно он такой — ${baseUrl}.`,
  redirect: (_, host) =>
    `Сервер ${host} отсылает на другой адрес, а туда ключ не отправляется: укажите окончательный адрес.`,
  timeout: (_, host) =>
    `Сервер ${host} не ответил за 20 секунд: он перегружен или загружает модель, попробуйте ещё раз.`,
  protocol: (_, host) => `Сервер ${host} ответил, но не так, как отвечают модели: адрес ведёт к чему-то другому.`,
  server: (_, host) => `На сервере ${host} произошла ошибка: попробуйте позже.`,
};
