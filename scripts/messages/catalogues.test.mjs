import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../runtime.mjs";
import { faultOf, readCatalogue } from "./catalogue.mjs";
import { findMessages } from "./find-messages.mjs";

const found = await findMessages();
const languages = readdirSync(join(root, "web", "i18n"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(".json", ""));

test("the sources hold texts, and there is a catalogue to hold them against", () => {
  expect(found.screens.size).toBeGreaterThan(3000);
  expect(found.server.size).toBeGreaterThan(500);
  expect(languages).toContain("en");
});

describe.each(languages)("the catalogue «%s»", (language) => {
  const catalogue = readCatalogue(language);

  test.each(/** @type {const} */ (["screens", "server"]))(
    "has every text of the %s and none that is gone: «npm run messages» mends it",
    (part) => {
      const texts = Object.keys(catalogue[part]);
      expect([...found[part].keys()].filter((text) => catalogue[part][text] === undefined)).toEqual([]);
      expect(texts.filter((text) => !found[part].has(text))).toEqual([]);
    },
  );

  test("translates each text whole: the same places, two forms of a counted word, nothing left in Russian", () => {
    const entries = [...Object.entries(catalogue.screens), ...Object.entries(catalogue.server)];
    const faults = entries.map(([text, translated]) => [text, faultOf(text, translated)]).filter(([, fault]) => fault);
    expect(faults).toEqual([]);
  });

  test("says one thing in one way, on the screen and from the server", () => {
    const both = Object.keys(catalogue.server).filter((text) => catalogue.screens[text] !== undefined);
    expect(both.filter((text) => catalogue.server[text] !== catalogue.screens[text])).toEqual([]);
  });
});
