// A visitor may click a button of the landing page before its code has loaded. The last clicked button is remembered and clicked
// again once React has hydrated the page, which web/landing/landing-page.tsx reports by an event.
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
