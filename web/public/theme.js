// Runs before the first paint, as a file of its own: the content security policy allows no inline script.
// The rule of themes is repeated in web/theme.ts, which takes over once the application has started.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("theme");
    // Who is signed in sees no landing page flash by at «/» (a link from another site brings no cookie to tell them by).
    if (location.pathname === "/" && localStorage.getItem("auth_token")) document.documentElement.dataset.member = "";
    keepLanguage(localStorage.getItem("language"));
  } catch {
    // Storage may be forbidden; the system's choice then stands.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#111819" : "#f5f8f8");

  // The server chooses the page by the cookie, which a browser may forget earlier than the choice, or keep from an earlier one.
  function keepLanguage(chosen) {
    if (chosen !== "ru" && chosen !== "en") return;
    const known = () => /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1];
    const before = known();
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API, and its promise would come after the first paint
    document.cookie = `language=${chosen}; path=/; max-age=31536000; samesite=lax`;
    // Without cookies a reload would bring the same page again.
    if (before !== chosen && known() === chosen && document.documentElement.lang !== chosen) location.reload();
  }
})();
