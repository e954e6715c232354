// A visitor reads the landing page before its code is there, and may press a button of it. The last one pressed until then is
// kept, and pressed again once React has taken the page over (web/landing/landing-page.tsx says so by the event).
(() => {
  let pressed = null;
  const keep = ({ target }) => {
    pressed = target.closest("button");
  };
  addEventListener("click", keep, true);
  addEventListener(
    "landing-taken-over",
    () => {
      removeEventListener("click", keep, true);
      pressed?.click();
    },
    { once: true },
  );
})();
