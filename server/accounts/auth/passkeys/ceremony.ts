/**
 * WebAuthn level 3 (www.w3.org/TR/webauthn-3): creates the options for browsers and checks their answers, with @simplewebauthn. User
 * verification is required, attestation is not asked for. The library is loaded when the first key is used.
 */
import { isIP } from "node:net";
import type { AssertedCredential, AttestedCredential } from "#contract/organizations/second-step.ts";
import type { Config } from "#server/platform/config.ts";
import { Problem, unavailable } from "#server/platform/errors.ts";
import { CHALLENGE_MS } from "../challenges.ts";

type Place = Pick<Config, "publicUrl">;

interface StoredKey {
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

/** EdDSA, ES256, RS256: the algorithms that authenticators support. */
const ALGORITHMS = [-8, -7, -257];

/** The host that keys are bound to; null where browsers allow none: an IP address, or http elsewhere than on localhost. */
export function passkeyHost({ publicUrl }: Place): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !local) ? null : hostname;
}

/** @throws Problem 503 where passkeys are impossible at this installation's address */
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

/** Options for `navigator.credentials.get`. @param known the keys that may answer; empty: whichever the person picks */
export async function requestOptions(place: Place, known: readonly StoredKey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(place),
    timeout: CHALLENGE_MS,
    allowCredentials: known.map(descriptorOf),
    userVerification: "required",
  });
}

/** The key in an answer to `creationOptions`; null when the answer is not valid. */
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

/** The key's new counter in an answer to `requestOptions`; null when the answer is not valid or the counter went back. */
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

/** The library throws for every invalid answer; only our own refusals are passed on. */
function refusedBy(error: unknown): null {
  if (error instanceof Problem) throw error;
  return null;
}

/** The challenge that an answer claims to be for; null when it is not readable. It proves nothing. */
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

/** The account's id for authenticators: its sixteen bytes, which tell nothing about the person. */
const handleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));
