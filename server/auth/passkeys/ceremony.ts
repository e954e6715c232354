/**
 * WebAuthn level 3 (www.w3.org/TR/webauthn-3): what browsers are asked and how their answers are checked, by @simplewebauthn.
 * Verification of the user is required, attestation is not asked for. The library is loaded when the first key is met.
 */
import { isIP } from "node:net";
import type { AssertedCredential, AttestedCredential } from "#contract/account.ts";
import type { Config } from "#server/config.ts";
import { Problem, unavailable } from "#server/errors.ts";
import { CHALLENGE_MS } from "../second-factor/challenges.ts";

type Place = Pick<Config, "publicUrl">;

export interface StoredKey {
  /** base64url. */
  credentialId: string;
  /** COSE. */
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

const library = () => import("@simplewebauthn/server");
type Transports = NonNullable<
  Parameters<Awaited<ReturnType<typeof library>>["verifyAuthenticationResponse"]>[0]["credential"]["transports"]
>;

/** EdDSA, ES256, RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257];

/** The host that keys are bound to; null where browsers allow none: an address of digits, or http elsewhere than on localhost. */
export function passkeyHost({ publicUrl }: Place): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !local) ? null : hostname;
}

/** @throws Problem 503 where this installation's address can have no passkeys */
function hostOf(place: Place): string {
  const host = passkeyHost(place);
  if (host !== null) return host;
  throw unavailable("passkeys_unavailable", "Ключи доступа работают только по защищённому адресу (https).");
}

/** Options for `navigator.credentials.create`. */
export async function creationOptions(
  place: Place,
  user: { id: string; account: string; name: string },
  known: readonly StoredKey[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Цифровые двойники",
    rpID: hostOf(place),
    userID: handleOf(user.id),
    userName: user.account,
    userDisplayName: user.name,
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Options for `navigator.credentials.get`. @param known empty: whichever key the person picks */
export async function requestOptions(place: Place, known: readonly StoredKey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(place),
    timeout: CHALLENGE_MS,
    allowCredentials: known.map(descriptorOf),
    userVerification: "required",
  });
}

/** The key of an answer to `creationOptions`; null when the answer does not hold. */
export async function checkCreation(
  place: Place,
  credential: AttestedCredential,
  challenge: string,
): Promise<StoredKey | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as never,
      expectedChallenge: challenge,
      expectedOrigin: new URL(place.publicUrl).origin,
      expectedRPID: hostOf(place),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const transports = credential.response.transports ?? [];
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
  } catch (error) {
    return refusedBy(error);
  }
}

/** The key's new counter after an answer to `requestOptions`; null when the answer does not hold or the counter went back. */
export async function checkAssertion(
  place: Place,
  credential: AssertedCredential,
  challenge: string,
  key: StoredKey & { userId: string },
): Promise<number | null> {
  const { userHandle } = credential.response;
  if (userHandle && userHandle !== Buffer.from(handleOf(key.userId)).toString("base64url")) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as never,
      expectedChallenge: challenge,
      expectedOrigin: new URL(place.publicUrl).origin,
      expectedRPID: hostOf(place),
      credential: { ...descriptorOf(key), publicKey: new Uint8Array(key.publicKey), counter: key.counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    return refusedBy(error);
  }
}

/** The library throws for whatever does not fit; only our own refusals go further. */
function refusedBy(error: unknown): null {
  if (error instanceof Problem) throw error;
  return null;
}

/** What an answer says that it answers; null when it says nothing readable. Proves nothing. */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

const descriptorOf = ({ credentialId, transports }: StoredKey) => ({
  id: credentialId,
  transports: transports as Transports,
});

/** The account as authenticators keep it: the id's sixteen bytes, which say nothing of the person. */
const handleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));
