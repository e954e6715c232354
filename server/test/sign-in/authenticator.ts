/** An authenticator in software (WebAuthn level 3, 6): ES256 keys, attestation «none». What it signs can be bent for attacks. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Bent {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether it says that its user was verified; else he was only present. */
  verified?: boolean;
  counter?: number;
  /** The account that it names in place of the one it was made for. */
  userHandle?: string;
}

export class SoftAuthenticator {
  readonly id = randomBytes(16).toString("base64url");
  counter = 0;
  readonly #origin: string;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #userHandle = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(options: { challenge: string; user: { id: string } }, bent: Bent = {}) {
    this.#userHandle = options.user.id;
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" });
    const id = Buffer.from(this.id, "base64url");
    // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const key = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x!, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y!, "base64url"),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
    const data = this.#data(0x40, bent, attested);
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestationObject = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.#credential({
      clientDataJSON: this.#client("webauthn.create", options.challenge, bent),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  get(options: { challenge: string }, bent: Bent = {}) {
    const data = this.#data(0, bent);
    const clientDataJSON = this.#client("webauthn.get", options.challenge, bent);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    return this.#credential({
      clientDataJSON,
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", Buffer.concat([data, hash]), this.#keys.privateKey).toString("base64url"),
      userHandle: bent.userHandle ?? this.#userHandle,
    });
  }

  #client(type: string, challenge: string, bent: Bent): string {
    const said = { type, challenge: bent.challenge ?? challenge, origin: bent.origin ?? this.#origin };
    return Buffer.from(JSON.stringify(said)).toString("base64url");
  }

  #data(flags: number, { rpId, verified = true, counter }: Bent, attested = Buffer.alloc(0)): Buffer {
    const host = rpId ?? new URL(this.#origin).hostname;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? ++this.counter);
    const said = Buffer.from([flags | 1 | (verified ? 4 : 0)]);
    return Buffer.concat([createHash("sha256").update(host).digest(), said, count, attested]);
  }

  #credential<R extends object>(response: R) {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }
}
