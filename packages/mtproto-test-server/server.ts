/**
 * A local MTProto 2.0 server over real sockets: key exchange, encryption, containers, results
 * (https://core.telegram.org/mtproto/description). What it answers to a call is the caller's business.
 */
import { constants, createHash, generateKeyPairSync, privateDecrypt, randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync, unzipSync } from "node:zlib";
import { Long } from "@mtcute/core";
import { generateKeyAndIvFromNonce } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";
import { TlBinaryReader } from "@mtcute/tl-runtime";
import { GENERATOR, generated, PRIME, power } from "./srp.ts";
import { deserialize, readers, serialize, type TlObject, tlBytes } from "./tl.ts";

/** What a call is answered with when it fails. */
export class RpcFailure extends Error {
  readonly code: number;
  constructor(text: string, code = 400) {
    super(text);
    this.code = code;
  }
}

/** A client's authorization: it outlives connections. `K` is what the server keeps with it. */
export interface AuthKey<K> {
  id: string;
  kept: K;
  connections: Set<Connection>;
}

export interface Connection {
  push(update: TlObject): void;
  drop(): void;
}

export type Answer = TlObject | TlObject[] | boolean;

export interface MtprotoServer<K> {
  /** For TELEGRAM_DC and TELEGRAM_DC_KEY. */
  address: string;
  publicKey: string;
  keys: Map<string, AuthKey<K>>;
  connections: Set<Connection>;
  /** Most connections that one key ever had at once: Telegram ends a session that is used twice. */
  mostAtOnce: number;
  close(): Promise<void>;
}

interface Options<K> {
  /** @param dcId the data centre that the client means to speak with; all of them are here */
  newKey(dcId: number): K;
  answer(call: TlObject, key: AuthKey<K>): Promise<Answer> | Answer;
}

interface Secrets {
  key: Buffer;
  id: Buffer;
  salt: Buffer;
}

const sha1 = (...parts: Uint8Array[]) => createHash("sha1").update(Buffer.concat(parts)).digest();
const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

const INTERMEDIATE = 0xeeeeeeee;
const CONTAINER = 0x73f1f8dc;
const VECTOR = 0x1cb5c415;
const GZIPPED = 0x3072cfa1;
const RESULT = 0xf35c6d01;
const TRUE = 0x997275b5;
const FALSE = 0xbc799737;
/** A product of two primes that is factored at once: 1000003 · 1000033. */
const PQ = Buffer.from("E8D6CA6163", "hex");
const WRAPPERS = /^(invokeWith|invokeAfter|initConnection)/;

export async function startMtproto<K>({ newKey, answer }: Options<K>): Promise<MtprotoServer<K>> {
  const cipher = new NodeCryptoProvider();
  await cipher.initialize();
  const { privateKey, publicKey, fingerprint } = generateServerKey();
  const secrets = new Map<string, Secrets>();
  const started: MtprotoServer<K> = {
    address: "",
    publicKey: publicKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
    keys: new Map(),
    connections: new Set(),
    mostAtOnce: 0,
    close: () =>
      new Promise((resolve) => {
        for (const connection of started.connections) connection.drop();
        server.close(() => resolve());
      }),
  };

  /** MTProto 2.0's message key gives key and vector; `from` is 0 for the client's messages, 8 for ours. */
  function messageCipher({ key }: Secrets, messageKey: Uint8Array, from: 0 | 8) {
    const a = sha256(messageKey, key.subarray(from, 36 + from));
    const b = sha256(key.subarray(40 + from, 76 + from), messageKey);
    const mixed = (one: Buffer, two: Buffer) =>
      Buffer.concat([one.subarray(0, 8), two.subarray(8, 24), one.subarray(24, 32)]);
    return cipher.createAesIge(mixed(a, b), mixed(b, a));
  }

  function serve(socket: Socket): void {
    let session: Long | null = null;
    let secret: Secrets | null = null;
    let key: AuthKey<K> | null = null;
    let lastId = Long.ZERO;
    let exchange = {
      server: Buffer.alloc(0),
      fresh: Buffer.alloc(0),
      exponent: Buffer.alloc(0),
      dcId: 0,
    };
    const connection: Connection = { push: (update) => send(serialize(update), 3), drop: () => socket.destroy() };
    started.connections.add(connection);
    socket.on("error", () => {});
    socket.on("close", () => {
      started.connections.delete(connection);
      key?.connections.delete(connection);
    });

    /** Grows, and says by its last two bits what it is: 1 an answer, 3 news. */
    function messageId(kind: 1 | 3): Long {
      const ms = Date.now();
      const fraction = Long.fromNumber(Math.floor(((ms % 1000) / 1000) * 2 ** 32));
      const now = Long.fromNumber(Math.floor(ms / 1000))
        .shl(32)
        .add(fraction);
      const later = now.gt(lastId) ? now : lastId.add(4);
      lastId = later.and(Long.fromNumber(3).not()).or(kind);
      return lastId;
    }

    function frame(...parts: Uint8Array[]): void {
      const body = Buffer.concat(parts);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(body.length);
      socket.write(Buffer.concat([length, body]));
    }

    function sendPlain(object: TlObject): void {
      const body = serialize(object);
      const head = Buffer.alloc(20);
      Buffer.from(messageId(1).toBytesLE()).copy(head, 8);
      head.writeUInt32LE(body.length, 16);
      frame(head, body);
    }

    function send(body: Buffer, kind: 1 | 3): void {
      if (secret === null || session === null) return;
      const head = Buffer.alloc(32);
      secret.salt.copy(head, 0);
      Buffer.from(session.toBytesLE()).copy(head, 8);
      Buffer.from(messageId(kind).toBytesLE()).copy(head, 16);
      head.writeUInt32LE(1, 24);
      head.writeUInt32LE(body.length, 28);
      const padding = randomBytes(12 + ((16 - ((32 + body.length + 12) % 16)) % 16));
      const inner = Buffer.concat([head, body, padding]);
      const messageKey = sha256(secret.key.subarray(96, 128), inner).subarray(8, 24);
      frame(secret.id, messageKey, messageCipher(secret, messageKey, 8).encrypt(inner));
    }

    function sendResult(id: Long, result: Answer): void {
      const head = Buffer.alloc(12);
      head.writeUInt32LE(RESULT);
      Buffer.from(id.toBytesLE()).copy(head, 4);
      let body = bodyOf(result);
      if (body.length > 512) body = Buffer.concat([uint(GZIPPED), tlBytes(gzipSync(body))]);
      send(Buffer.concat([head, body]), 1);
    }

    function exchangeKeys(call: TlObject): TlObject {
      const { nonce } = call as { nonce?: Uint8Array };
      const serverNonce = exchange.server;
      switch (call._) {
        case "mt_req_pq_multi":
          exchange = { server: randomBytes(16), fresh: Buffer.alloc(0), exponent: Buffer.alloc(0), dcId: 0 };
          return {
            _: "mt_resPQ",
            nonce,
            serverNonce: exchange.server,
            pq: PQ,
            serverPublicKeyFingerprints: [fingerprint],
          };
        case "mt_req_DH_params": {
          const inner = opened(call.encryptedData as Uint8Array);
          exchange.fresh = Buffer.from(inner.newNonce as Uint8Array);
          exchange.exponent = randomBytes(256);
          // Those for media alone are named below nought.
          exchange.dcId = Math.abs(Number(inner.dc));
          const data = serialize({
            _: "mt_server_DH_inner_data",
            nonce,
            serverNonce,
            g: GENERATOR,
            dhPrime: PRIME,
            gA: generated(exchange.exponent),
            serverTime: Math.floor(Date.now() / 1000),
          });
          const hashed = Buffer.concat([sha1(data), data]);
          const whole = Buffer.concat([hashed, randomBytes((16 - (hashed.length % 16)) % 16)]);
          return {
            _: "mt_server_DH_params_ok",
            nonce,
            serverNonce,
            encryptedAnswer: exchangeCipher().encrypt(whole),
          };
        }
        case "mt_set_client_DH_params": {
          const inner = deserialize(exchangeCipher().decrypt(call.encryptedData as Uint8Array), 20);
          const shared = power(inner.gB as Uint8Array, exchange.exponent);
          if (shared[0] === 0) {
            // The client takes a key with leading zeros for a shorter one (1 in 256): it is asked for another.
            const shortened = sha1(shared.subarray(shared.findIndex((byte) => byte !== 0))).subarray(0, 8);
            const newNonceHash2 = sha1(exchange.fresh, Buffer.from([2]), shortened).subarray(4, 20);
            return { _: "mt_dh_gen_retry", nonce, serverNonce, newNonceHash2 };
          }
          const digest = sha1(shared);
          const id = digest.subarray(12, 20);
          const salt = exchange.server.subarray(0, 8).map((byte, place) => byte ^ exchange.fresh[place]!);
          secrets.set(id.toString("hex"), { key: shared, id, salt: Buffer.from(salt) });
          started.keys.set(id.toString("hex"), {
            id: id.toString("hex"),
            kept: newKey(exchange.dcId),
            connections: new Set(),
          });
          const newNonceHash1 = sha1(exchange.fresh, Buffer.from([1]), digest.subarray(0, 8)).subarray(4, 20);
          return { _: "mt_dh_gen_ok", nonce, serverNonce, newNonceHash1 };
        }
        default:
          throw new Error(`Unexpected before a key: ${call._}`);
      }
    }

    /** RSA_PAD: https://core.telegram.org/mtproto/auth_key#41-rsa-paddata-server-public-key-mentioned-above-is-implemented-as-follows */
    function opened(encrypted: Uint8Array): TlObject {
      const padded = Buffer.concat([Buffer.alloc(256 - encrypted.length), encrypted]);
      const plain = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, padded);
      const sealed = plain.subarray(32);
      const digest = sha256(sealed);
      const aesKey = plain.subarray(0, 32).map((byte, place) => byte ^ digest[place]!);
      const data = cipher.createAesIge(aesKey, Buffer.alloc(32)).decrypt(sealed).subarray(0, 192);
      return deserialize(Buffer.from(data).reverse());
    }

    const exchangeCipher = () => {
      const [aesKey, vector] = generateKeyAndIvFromNonce(cipher, exchange.server, exchange.fresh);
      return cipher.createAesIge(aesKey, vector);
    };

    function receive(bytes: Buffer): void {
      if (bytes.readBigUInt64LE(0) === 0n) {
        sendPlain(exchangeKeys(deserialize(bytes, 20)));
        return;
      }
      const id = bytes.subarray(0, 8).toString("hex");
      const known = secrets.get(id);
      if (known === undefined) {
        frame(int(-404));
        return;
      }
      const messageKey = bytes.subarray(8, 24);
      const inner = Buffer.from(messageCipher(known, messageKey, 0).decrypt(bytes.subarray(24)));
      if (!sha256(known.key.subarray(88, 120), inner).subarray(8, 24).equals(messageKey)) {
        throw new Error("A message that was not encrypted with this key");
      }
      secret = known;
      key = started.keys.get(id)!;
      key.connections.add(connection);
      started.mostAtOnce = Math.max(started.mostAtOnce, key.connections.size);
      const reader = new TlBinaryReader(readers, inner);
      reader.seek(8);
      const [from, message] = [reader.long(), reader.long()];
      reader.seek(4);
      const length = reader.uint();
      if (session === null || !session.eq(from)) {
        session = from;
        const serverSalt = Long.fromBytesLE([...known.salt]);
        const uniqueId = Long.fromNumber(Date.now());
        connection.push({ _: "mt_new_session_created", firstMsgId: message, uniqueId, serverSalt });
      }
      read(message, inner.subarray(reader.pos, reader.pos + length));
    }

    function read(id: Long, body: Uint8Array): void {
      const reader = new TlBinaryReader(readers, body);
      const kind = reader.peekUint();
      if (kind === CONTAINER) {
        reader.seek(4);
        for (let left = reader.uint(); left > 0; left--) {
          const inner = reader.long();
          reader.seek(4);
          read(inner, reader.raw(reader.uint()));
        }
        return;
      }
      if (kind === GZIPPED) {
        reader.seek(4);
        read(id, unzipSync(reader.bytes()));
      } else void reply(id, reader.object() as TlObject);
    }

    async function reply(id: Long, asked: TlObject): Promise<void> {
      if (asked._ === "mt_msgs_ack" || asked._ === "mt_msgs_state_req") return;
      if (asked._.startsWith("mt_ping")) return send(serialize({ _: "mt_pong", msgId: id, pingId: asked.pingId }), 1);
      if (asked._ === "mt_get_future_salts") {
        const now = Math.floor(Date.now() / 1000);
        return send(serialize({ _: "mt_future_salts", reqMsgId: id, now, salts: [] }), 1);
      }
      let call = asked;
      while (WRAPPERS.test(call._)) call = call.query as TlObject;
      try {
        sendResult(id, await answer(call, key!));
      } catch (error) {
        const { code } = error as { code?: number };
        const errorMessage = error instanceof Error ? error.message : "INTERNAL";
        sendResult(id, { _: "mt_rpc_error", errorCode: typeof code === "number" ? code : 500, errorMessage });
      }
    }

    let buffer = Buffer.alloc(0);
    let tagged = false;
    socket.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk as Buffer]);
      if (!tagged) {
        if (buffer.length < 4) return;
        if (buffer.readUInt32LE(0) !== INTERMEDIATE) return socket.destroy();
        tagged = true;
        buffer = buffer.subarray(4);
      }
      while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32LE(0)) {
        const end = 4 + buffer.readUInt32LE(0);
        const one = Buffer.from(buffer.subarray(4, end));
        buffer = buffer.subarray(end);
        try {
          receive(one);
        } catch {
          socket.destroy();
        }
      }
    });
  }

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  started.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return started;
}

/**
 * The fingerprint is the SHA-1's last 64 bits (https://core.telegram.org/mtproto/auth_key#dh-exchange-initiation). The client
 * looks it up as a hexadecimal number without leading zeros, which one key in sixteen would have: it would be unknown to it.
 */
function generateServerKey() {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = publicKey.export({ format: "jwk" });
    const numbers = [jwk.n!, jwk.e!].map((part) => tlBytes(Buffer.from(part, "base64url")));
    const fingerprint = Long.fromBytesLE([...sha1(...numbers).subarray(-8)]);
    if (fingerprint.getHighBitsUnsigned() >= 0x10000000) return { privateKey, publicKey, fingerprint };
  }
}

function bodyOf(result: Answer): Buffer {
  if (typeof result === "boolean") return uint(result ? TRUE : FALSE);
  if (Array.isArray(result)) return Buffer.concat([uint(VECTOR), uint(result.length), ...result.map(serialize)]);
  return serialize(result);
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
