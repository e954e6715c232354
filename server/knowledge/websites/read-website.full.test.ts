/** Sites that take long to read: large ones and silent ones. */
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { MAX_SITE_PAGES } from "#contract/knowledge/websites.ts";
import {
  asked,
  links,
  page,
  pages,
  prepareWebsites,
  read,
  said,
  setPages,
  to,
  words,
} from "#server/test/knowledge/website-bench.ts";
import { READING } from "./read-website.ts";

prepareWebsites();

/** Shortens the timeouts for pages that do not respond. */
function giveUpSoon(): void {
  const { answerMs } = READING;
  READING.answerMs = 1500;
  onTestFinished(() => void Object.assign(READING, { answerMs }));
}

test.each([
  ["forbids it", said("User-agent: *\nDisallow: /"), /robots\.txt/],
  ["cannot be reached", (response: ServerResponse) => void response.writeHead(503).end(), /robots\.txt/],
  ["never answers", () => undefined, /не отвечает/],
  ["is another site's", to("https://other.example/robots.txt"), /на другой сайт/],
])("a site whose robots.txt %s is not read", async (_what, robots, reason) => {
  giveUpSoon();
  setPages({ "/robots.txt": robots, "/": page("Главная") });
  const done = await read();
  expect(await done.look()).toMatchObject({ state: "failed", reason: expect.stringMatching(reason) });
  expect(asked).not.toContain("/");
  expect(await done.documents()).toEqual([]);
});

test("a page that never answers or comes by drops is given up, and the others are read", async () => {
  giveUpSoon();
  setPages({
    "/": page("Главная", `<p>${words("Магазин")}</p>${links("/hang", "/drip", "/good")}`),
    "/hang": () => undefined,
    "/drip": (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => response.write("а"), 100);
      response.on("close", () => clearInterval(timer));
    },
    "/good": page("Хорошая"),
  });
  const done = await read();
  const found = await done.pagesOf();
  expect((await done.documents()).map(({ name }) => name)).toEqual(expect.arrayContaining(["Главная", "Хорошая"]));
  for (const path of ["/hang", "/drip"]) expect.soft(found.get(path)?.state, path).toBe("failed");
});

test("of a site with more pages than the bound those nearest to the start are read, and it is said", async () => {
  const paths = Array.from({ length: MAX_SITE_PAGES + 50 }, (_, n) => `/p${n}`);
  setPages({ "/": page("Главная", `<p>${words("Магазин")}</p>${links(...paths)}`) });
  for (const path of paths) pages[path] = said("мало");
  const done = await read();
  const { state, reason, pages: counted } = await done.look();
  expect([state, counted.found, counted.read]).toEqual(["ready", MAX_SITE_PAGES, MAX_SITE_PAGES]);
  expect(reason).toContain("200");
}, 60_000);
