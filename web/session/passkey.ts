/** Passkeys in the browser. The library is loaded on first use. */
import type { AssertedCredential, AttestedCredential } from "#contract/organizations/second-step.ts";

const library = () => import("@simplewebauthn/browser");

/** Thrown with a message for the user instead of the browser's own error. */
class PasskeyRefused extends Error {}

/** @param options unchanged from the server @throws PasskeyRefused */
export async function makePasskey(options: object): Promise<AttestedCredential> {
  const { startRegistration } = await library();
  return (await startRegistration({ optionsJSON: options as never }).catch(refuse)) as AttestedCredential;
}

/** @param options unchanged from the server @throws PasskeyRefused */
export async function askForPasskey(options: object): Promise<AssertedCredential> {
  const { startAuthentication } = await library();
  return (await startAuthentication({ optionsJSON: options as never }).catch(refuse)) as AssertedCredential;
}

function refuse(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") throw new PasskeyRefused("Ключ доступа этого устройства уже добавлен");
  if (name === "NotAllowedError" || name === "AbortError") {
    throw new PasskeyRefused("Запрос отменён или время вышло. Попробуйте ещё раз.");
  }
  throw new PasskeyRefused("Браузер не смог использовать ключ доступа. Попробуйте другой способ.");
}
