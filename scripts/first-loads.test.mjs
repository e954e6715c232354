import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { budgetOf, filesOf, screensOf } from "./first-loads.mjs";
import { root } from "./runtime.mjs";

test("every screen of the application is found with its address, its module and whether it needs a session", async () => {
  const [table, addresses] = await Promise.all(
    ["web/screens.ts", "web/paths.ts"].map((path) => readFile(join(root, path), "utf8")),
  );
  const screens = screensOf(table ?? "", addresses ?? "");
  expect(screens).toHaveLength((table ?? "").split("screen(() =>").length - 1);
  expect(screens).toContainEqual({ path: "/login", module: "auth/login-page.tsx", guarded: false });
  expect(screens).toContainEqual({ path: "/landing", module: "landing/landing-page.tsx", guarded: false });
  expect(screens).toContainEqual({ path: "/dashboard", module: "dashboard/dashboard-page.tsx", guarded: true });
  expect(screens).toContainEqual({ path: "/edit-twin/:id", module: "twins/edit-twin-page.tsx", guarded: true });
  expect(screens).toContainEqual({ path: "*", module: "shell/not-found-page.tsx", guarded: false });
});

test("the table of the browser tests has every screen of the application", async () => {
  const [table, addresses, visited] = await Promise.all(
    ["web/screens.ts", "web/paths.ts", "e2e/support/screens.ts"].map((path) => readFile(join(root, path), "utf8")),
  );
  const shown = screensOf(table ?? "", addresses ?? "").map(({ path }) => path);
  const named = [...(visited ?? "").matchAll(/\bat: "([^"]+)"/g)].map(([, at]) => at?.replace(/\{\w+\}/, ":id"));
  expect(named.sort()).toEqual(shown.filter((path) => path !== "*").sort());
});

test("a screen loads what its modules import, directly and through others, and each file once", () => {
  const manifest = {
    "index.html": { file: "index.js", imports: ["_react.js"] },
    "page.tsx": { file: "page.js", imports: ["_kit.js", "_react.js"], dynamicImports: ["dialog.tsx"] },
    "dialog.tsx": { file: "dialog.js" },
    "_kit.js": { file: "kit.js", imports: ["_react.js", "_zod.js"] },
    "_react.js": { file: "react.js" },
    "_zod.js": { file: "zod.js", imports: ["_kit.js"] },
  };
  const files = filesOf(manifest, ["index.html", "page.tsx"]);
  expect([...files].sort()).toEqual(["index.js", "kit.js", "page.js", "react.js", "zod.js"]);
  expect(() => filesOf(manifest, ["gone.tsx"])).toThrow("no chunk of gone.tsx");
});

test("the three screens that most people see first have budgets of their own", () => {
  expect(["/landing", "/login", "/dashboard", "/knowledge"].map(budgetOf)).toEqual([130, 120, 150, 170]);
});
