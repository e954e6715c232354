import { expect, test } from "vitest";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { privacy, terms } from "./texts.ts";

/** SHA-256 of the texts of each version: a changed word needs a new version, and every user is asked again. */
const VERSIONS: Record<string, string> = {
  "2026-11-22": "43ac2d00abfae404cc43bcfc16339dd0f0498129b0a2d8d14f46a585fbbdc5f2",
  "2026-11-23": "49ddbaa422d57064f1ac9ab4b4db6a5fa5aadf907e16d85b37bd3b172463e3ad",
  "2026-11-24": "0d411a7850c540d58821b0cf09f94e8e8d07a58c43bda40ed00543f6e02b714c",
};

test("a changed legal text has a new version", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([privacy, terms])));
  const now = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  expect(now).toBe(VERSIONS[CONSENT_VERSION]);
});
