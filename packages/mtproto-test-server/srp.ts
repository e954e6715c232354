/** The server's half of Telegram's two-step password (SRP, https://core.telegram.org/api/srp). */
import { createDiffieHellman, createHash, pbkdf2Sync, randomBytes } from "node:crypto";

/** Telegram's 2048-bit prime; its generator is 3. */
export const PRIME = Buffer.from(
  "C71CAEB9C6B1C9048E6C522F70F13F73980D40238E3E21C14934D037563D930F48198A0AA7C14058229493D22530F4DBFA336F6E0AC925139543AED44CCE7C37" +
    "20FD51F69458705AC68CD4FE6B6B13ABDC9746512969328454F18FAF8C595F642477FE96BB2A941D5BCD1D4AC8CC49880708FA9B378E3C4F3A9060BEE67CF9A4" +
    "A4A695811051907E162753B56B0F6B410DBA74D8A84B2A14B3144E0EF1284754FD17ED950D5965B4B9DD46582DB1178D169C6BC465B0D6FF9CA3928FEF5B9AE4" +
    "E418FC15E83EBEA0F87FA9FF5EED70050DED2849F47BF959D956850CE929851F0D8115F635B105EE2E4E15D04B2454BF6F4FADF034B10403119CD8E3B92FCC5B",
  "hex",
);
export const GENERATOR = 3;
const SIZE = 256;

const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const salted = (data: Uint8Array, salt: Uint8Array) => sha256(salt, data, salt);
const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(2 * SIZE, "0"), "hex");
const padded = (bytes: Buffer) => Buffer.concat([Buffer.alloc(SIZE - bytes.length), bytes]);
const modulus = numberOf(PRIME);

/** Made once: the prime is looked over each time. */
const group = createDiffieHellman(PRIME, GENERATOR);

/** base^exponent modulo Telegram's prime. */
export function power(base: Uint8Array, exponent: Uint8Array): Buffer {
  group.setPrivateKey(Buffer.from(exponent));
  return padded(group.computeSecret(base));
}

export const generated = (exponent: Uint8Array): Buffer => power(bytesOf(BigInt(GENERATOR)), exponent);

export interface PasswordCheck {
  salt1: Buffer;
  salt2: Buffer;
  /** What the client is sent (srp_B). */
  challenge: Buffer;
  isProvenBy(proof: { A: Uint8Array; M1: Uint8Array }): boolean;
}

export function passwordCheck(password: string): PasswordCheck {
  const [salt1, salt2, secret] = [randomBytes(16), randomBytes(16), randomBytes(SIZE)];
  const stretched = pbkdf2Sync(salted(salted(Buffer.from(password), salt1), salt2), salt1, 100_000, 64, "sha512");
  const verifier = generated(salted(stretched, salt2));
  const factor = numberOf(sha256(PRIME, bytesOf(BigInt(GENERATOR))));
  const challenge = bytesOf((factor * numberOf(verifier) + numberOf(generated(secret))) % modulus);
  return {
    salt1,
    salt2,
    challenge,
    isProvenBy({ A, M1 }) {
      const mixed = power(verifier, sha256(A, challenge));
      const key = sha256(power(bytesOf((numberOf(A) * numberOf(mixed)) % modulus), secret));
      const prime = sha256(PRIME);
      const base = sha256(bytesOf(BigInt(GENERATOR)));
      const both = prime.map((byte, place) => byte ^ base[place]!);
      return sha256(both, sha256(salt1), sha256(salt2), A, challenge, key).equals(Buffer.from(M1));
    },
  };
}
