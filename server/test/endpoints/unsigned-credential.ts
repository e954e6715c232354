/** What a browser says beside a passkey's answer: in the right shape, and unsigned. */
export const CLIENT_DATA = Buffer.from(
  JSON.stringify({ type: "webauthn.get", challenge: "abc", origin: "x" }),
).toString("base64url");
