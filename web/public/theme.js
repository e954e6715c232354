// Runs before the first paint. It is a separate file, because the content security policy allows no inline script.
// web/theme.ts applies the same rule of themes once the application has started.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("theme");
    // Hides the landing page from signed-in users at «/»: behind a link from another site the server gets no session cookie.
    if (location.pathname === "/" && localStorage.getItem("auth_token")) document.documentElement.dataset.member = "";
    keepLanguage(localStorage.getItem("language"));
  } catch {
    // Storage may be blocked; the system's theme then applies.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#111819" : "#f5f8f8");

  // The server chooses the page by the cookie. A browser may lose the cookie before the stored choice, or keep an outdated one.
  function keepLanguage(chosen) {
    if (chosen !== "ru" && chosen !== "en") return;
    const known = () => /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1];
    const before = known();
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API, and its promise would come after the first paint
    document.cookie = `language=${chosen}; path=/; max-age=31536000; samesite=lax`;
    // Without cookies a reload would load the same page again.
    if (before !== chosen && known() === chosen && document.documentElement.lang !== chosen) location.reload();
  }
})();
