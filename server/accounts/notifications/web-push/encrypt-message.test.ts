import { expect, test } from "vitest";
import { encryptMessage, MESSAGE_BYTES } from "./encrypt-message.ts";

const decode = (text: string) => Buffer.from(text, "base64url");
const KEYS = {
  p256dh: decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
  auth: decode("BTBZMqHH6r4Tts7J_aSIgg"),
};

test("the example of the RFC is encrypted byte for byte", () => {
  const encrypted = encryptMessage(Buffer.from("When I grow up, I want to be a watermelon"), KEYS, {
    privateKey: decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    salt: decode("DGv6ra1nlYgDCS1FRnbzlw"),
  });
  expect(encrypted.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("no two messages share a key or a salt, although they say the same", () => {
  const [one, other] = [1, 2].map(() => encryptMessage(Buffer.from("то же"), KEYS));
  expect(one!.subarray(0, 16)).not.toEqual(other!.subarray(0, 16));
  expect(one!.subarray(21, 86)).not.toEqual(other!.subarray(21, 86));
});

test("a message that does not fit into one record, or a key that is no point of the curve, is refused", () => {
  expect(() => encryptMessage(Buffer.alloc(MESSAGE_BYTES + 1), KEYS)).toThrow(RangeError);
  expect(() => encryptMessage(Buffer.from("текст"), { ...KEYS, p256dh: Buffer.alloc(65, 4) })).toThrow();
});
