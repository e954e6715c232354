// Runs before the first paint, as a file of its own: the content security policy allows no inline script.
// The rule is repeated in web/theme.ts, which takes over once the application has started.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("theme");
    // Who is signed in sees no landing page flash by at «/» (a link from another site brings no cookie to tell them by).
    if (location.pathname === "/" && localStorage.getItem("auth_token")) document.documentElement.dataset.member = "";
  } catch {
    // Storage may be forbidden; the system's choice then stands.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#111819" : "#f5f8f8");
})();
