// Adds a twin's chat to a site: <script src="https://…/widget.js" data-twin="…" data-language="en" async></script>; without a language
// it is Russian. It adds only one button to the page. The conversation is in a frame of the server's origin, so that neither side can
// access the other.
(() => {
  const script = document.currentScript;
  const id = script?.dataset.twin;
  if (!id || document.getElementById("twin-chat-frame")) return;
  const origin = new URL(script.src).origin;
  const small = matchMedia("(max-width: 480px), (max-height: 480px)");

  const frame = document.createElement("iframe");
  frame.id = "twin-chat-frame";
  const english = script.dataset.language === "en";
  frame.title = english ? "Chat" : "Чат";
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.src = `${origin}/widget/${encodeURIComponent(id)}${english ? "?language=en" : ""}`;
  frame.allow = "";
  wear(frame, {
    position: "fixed",
    border: "0",
    zIndex: "2147483647",
    colorScheme: "normal",
    // Until the chat is opened, the frame is loaded but hidden and cannot take the focus.
    visibility: "hidden",
    boxShadow: "0 12px 48px -8px rgba(15, 30, 32, .28)",
  });
  let button;

  function wear(element, style) {
    Object.assign(element.style, style);
  }

  function place() {
    const whole = small.matches;
    wear(frame, {
      inset: whole ? "0" : "auto 20px 92px auto",
      width: whole ? "100%" : "380px",
      height: whole ? "100%" : "min(600px, calc(100vh - 112px))",
      borderRadius: whole ? "0" : "12px",
    });
  }

  function open(shown) {
    wear(frame, { visibility: shown ? "visible" : "hidden" });
    if (small.matches) wear(button, { visibility: shown ? "hidden" : "visible" });
    button.setAttribute("aria-expanded", String(shown));
    frame.contentWindow.postMessage({ twinChat: shown ? "open" : "close" }, origin);
    if (shown) frame.focus();
    else button.focus();
  }

  function showButton({ title, color, ink }) {
    frame.title = title;
    button = document.createElement("button");
    button.type = "button";
    button.id = "twin-chat-button";
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", title);
    wear(button, {
      position: "fixed",
      right: "20px",
      bottom: "20px",
      width: "56px",
      height: "56px",
      padding: "0",
      border: "2px solid #fff",
      borderRadius: "50%",
      background: color,
      color: ink,
      cursor: "pointer",
      zIndex: "2147483646",
      boxShadow: "0 4px 16px rgba(15, 30, 32, .3)",
    });
    const svg = "http://www.w3.org/2000/svg";
    const icon = document.createElementNS(svg, "svg");
    for (const [name, value] of [
      ["viewBox", "0 0 24 24"],
      ["width", "26"],
      ["height", "26"],
      ["fill", "none"],
      ["stroke", "currentColor"],
      ["stroke-width", "1.75"],
      ["aria-hidden", "true"],
    ]) {
      icon.setAttribute(name, value);
    }
    const path = document.createElementNS(svg, "path");
    path.setAttribute("d", "M4 5.5h16v11H9.5L5.5 20v-3.5H4Z");
    icon.append(path);
    button.append(icon);
    button.addEventListener("click", () => open(frame.style.visibility === "hidden"));
    document.body.append(button);
  }

  addEventListener("message", (event) => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    // The button appears only once the frame reports that the chat is enabled.
    if (event.data?.twinChat === "ready" && !button) showButton(event.data);
    if (event.data?.twinChat === "close" && button) open(false);
  });
  small.addEventListener("change", place);
  place();
  const begin = () => document.body.append(frame);
  if (document.body) begin();
  else addEventListener("DOMContentLoaded", begin);
})();
