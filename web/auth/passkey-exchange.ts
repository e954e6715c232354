import { secondStepApi } from "#contract/organizations/second-step.ts";
import { call } from "#web/api/call.ts";
import { askForPasskey } from "#web/session/passkey.ts";
import { SignedIn } from "./signed-in.ts";

/** @throws PasskeyRefused when the browser has created no credential */
export async function signInWithPasskey() {
  const credential = await askForPasskey(await call(secondStepApi.passkeyOptions));
  return call({ ...secondStepApi.passkey, output: SignedIn }, { input: { credential } });
}
