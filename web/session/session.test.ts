import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { useSession } from "./session.tsx";

function Nobody() {
  useSession();
  return null;
}

test("using the session outside its provider is an error", () => {
  expect(() => renderToString(createElement(Nobody))).toThrow("useSession must be used within a SessionProvider");
});
