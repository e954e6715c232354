/**
 * WebAuthn level 3 (www.w3.org/TR/webauthn-3): creates the options for browsers and verifies their answers, with @simplewebauthn. User
 * verification is required, attestation is not. The library is loaded at first use.
 */
import { isIP } from "node:net";
import type { AssertedCredential, AttestedCredential } from "#contract/organizations/second-step.ts";
import type { Config } from "#server/platform/config.ts";
import { Problem, unavailable } from "#server/platform/errors.ts";
import { CHALLENGE_MS } from "./challenges.ts";

type Place = Pick<Config, "publicUrl">;

interface StoredKey {
  /** In base64url. */
  credentialId: string;
  /** In COSE format (RFC 9052). */
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

/** Returns the host that keys are bound to; null where browsers allow no passkeys: an IP address, or http other than localhost. */
export function passkeyHost({ publicUrl }: Place): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !local) ? null : hostname;
}

/** @throws Problem 503 when the installation's address allows no passkeys */
function hostOf(place: Place): string {
  const host = passkeyHost(place);
  if (host !== null) return host;
  throw unavailable("passkeys_unavailable", "Ключи доступа работают только по защищённому адресу (https).");
}

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

/** Options for `navigator.credentials.get`. @param known the keys that may answer; empty: the person picks any key of this site */
export async function requestOptions(place: Place, known: readonly StoredKey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(place),
    timeout: CHALLENGE_MS,
    allowCredentials: known.map(descriptorOf),
    userVerification: "required",
  });
}

/** Returns the key in an answer to `creationOptions`; null when the answer is invalid. */
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

/** Returns the key's new counter in an answer to `requestOptions`; null when the answer is invalid or the counter has decreased. */
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

/** The library throws an error for every invalid answer; only our own Problems are rethrown. */
function refusedBy(error: unknown): null {
  if (error instanceof Problem) throw error;
  return null;
}

/** Returns the challenge that an answer claims to belong to, unverified; null when it is unreadable. */
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

/** The account's id for authenticators: its sixteen bytes, which reveal nothing about the person. */
const handleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));
