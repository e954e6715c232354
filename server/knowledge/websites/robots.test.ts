import { expect, test } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { parseRobots } from "./robots.ts";

const allows = (text: string, path: string) => parseRobots(text).allows(path);

test("without a group for this reader the rules for all hold; with one only its own do", () => {
  const both = "User-agent: *\nDisallow: /\n\nUser-agent: DigitalTwinsReader\nDisallow: /admin";
  expect(allows(both, "/prices")).toBe(true);
  expect(allows(both, "/admin/users")).toBe(false);
  expect(allows("User-agent: Googlebot\nDisallow: /\n", "/prices")).toBe(true);
  expect(allows("User-agent: *\nDisallow: /private", "/private/1")).toBe(false);
  expect(allows("user-AGENT: digitaltwinsreader/2.0 # comment\nDISALLOW: /x", "/x")).toBe(false);
});

test("groups that name this reader are joined, and names that stand together share their rules", () => {
  const text =
    "User-agent: a\nUser-agent: DigitalTwinsReader\nDisallow: /one\n\nUser-agent: DigitalTwinsReader\nDisallow: /two";
  expect([allows(text, "/one"), allows(text, "/two"), allows(text, "/three")]).toEqual([false, false, true]);
  // A specific group without rules allows everything.
  expect(allows("User-agent: *\nDisallow: /\nUser-agent: DigitalTwinsReader\nDisallow:", "/a")).toBe(true);
});

test("the longest rule decides, and of two as long the one that allows", () => {
  const text = "User-agent: *\nDisallow: /shop\nAllow: /shop/prices\nDisallow: /shop/prices/old";
  expect(allows(text, "/shop/cart")).toBe(false);
  expect(allows(text, "/shop/prices/new")).toBe(true);
  expect(allows(text, "/shop/prices/old/1")).toBe(false);
  expect(allows("User-agent: *\nDisallow: /page\nAllow: /page", "/page")).toBe(true);
});

test("* stands for anything and $ for the end", () => {
  const text = "User-agent: *\nDisallow: /*.php$\nDisallow: /*?sort=\nDisallow: /end$";
  expect(allows(text, "/a/b.php")).toBe(false);
  expect(allows(text, "/a/b.php?x=1")).toBe(true);
  expect(allows(text, "/list?sort=asc")).toBe(false);
  expect([allows(text, "/end"), allows(text, "/ending")]).toEqual([false, true]);
});

test("letters are compared whether they are encoded or not", () => {
  expect(allows("User-agent: *\nDisallow: /цены", "/%D1%86%D0%B5%D0%BD%D1%8B")).toBe(false);
  expect(allows("User-agent: *\nDisallow: /%d1%86%d0%b5%d0%bd%d1%8b", "/%D1%86%D0%B5%D0%BD%D1%8B/1")).toBe(false);
  expect(allows("User-agent: *\nDisallow: /%61bc", "/abc")).toBe(false);
});

test("robots.txt itself may always be read, sitemaps are named anywhere, and nonsense is no rule", () => {
  expect(allows("User-agent: *\nDisallow: /", "/robots.txt")).toBe(true);
  expect(parseRobots("Sitemap: https://a.ru/s.xml\nUser-agent: *\nDisallow: /x").sitemaps).toEqual([
    "https://a.ru/s.xml",
  ]);
  expect(allows("<html>404</html>\nDisallow: /before-any-name\n\0\0:::", "/before-any-name")).toBe(true);
});

test("rules made to be slow are matched at once", () => {
  const text = `User-agent: *\n${`Disallow: /${"*a".repeat(900)}b$\n`.repeat(50)}`;
  const cpuMs = startCpuTime();
  expect(allows(text, `/${"a".repeat(2000)}`)).toBe(true);
  expect(cpuMs()).toBeLessThan(5000);
});
