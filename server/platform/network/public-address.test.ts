import { expect, test } from "vitest";
import { isPublicAddress, mayBePublic, PrivateAddress, publicAddressOf } from "./public-address.ts";

test.each([
  ["8.8.8.8", true],
  ["77.88.21.125", true],
  ["2a02:6b8::1:119", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["172.31.0.1", false],
  ["192.168.1.1", false],
  ["198.19.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::7f00:1", false],
  ["fc00::1", false],
  ["fe80::1", false],
  ["ff02::1", false],
  ["2001:db8::1", false],
  ["2002:7f00:1::", false],
  ["localhost", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test("a host name that resolves to an internal address is refused in any notation", async () => {
  for (const host of [
    "localhost",
    "localhost.",
    "LOCALHOST",
    "a.localhost",
    "a.localhost.",
    "127.0.0.1",
    "127.0.0.1.",
    "::1",
    "[::1]",
    "169.254.169.254",
    "169.254.169.254.",
    "printer",
    "printer.",
    "nas.local.",
  ]) {
    await expect(publicAddressOf(host)).rejects.toThrow(PrivateAddress);
  }
  expect(await publicAddressOf("77.88.21.125")).toBe("77.88.21.125");
});

test.each([
  ["twins.example.ru", true],
  ["twins.example.ru.", true],
  ["xn--d1acufc.xn--p1ai", true],
  ["77.88.21.125", true],
  ["[2a02:6b8::1:119]", true],
  ["localhost", false],
  ["Localhost.", false],
  ["twins.localhost", false],
  ["twins.localhost.", false],
  ["127.0.0.1", false],
  ["127.0.0.1.", false],
  ["[::1]", false],
  ["10.0.0.5.", false],
  ["twins", false],
  ["twins.", false],
  ["twins.home.arpa", false],
  [".", false],
  ["", false],
])("by its name %s may be public: %s", (host, expected) => {
  expect(mayBePublic(host)).toBe(expected);
});
