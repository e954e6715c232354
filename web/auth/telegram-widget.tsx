import { clsx } from "clsx";
import { useEffect, useRef, useState } from "react";
import { paths } from "#web/paths.ts";
import { newTelegramState, TELEGRAM_STATE, telegramReturnUrl } from "./telegram-return.ts";

const SCRIPT = "https://telegram.org/js/telegram-widget.js";
const LOAD_TIMEOUT_MS = 3000;

/**
 * Returns false when the page was reached from another screen without loading the document. The server allows Telegram's script
 * only on the document of /login.
 */
export function documentAllowsWidget(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded === undefined || new URL(loaded.name).pathname === paths.login;
}

/** Telegram's own button. It requests permission to message the user and redirects to this page with a signed payload. */
export function TelegramWidget({ bot }: { bot: string }) {
  const container = useRef<HTMLDivElement>(null);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const box = container.current;
    if (!box) return;
    const state = newTelegramState();
    sessionStorage.setItem(TELEGRAM_STATE, state);
    const script = document.createElement("script");
    script.async = true;
    script.src = SCRIPT;
    Object.assign(script.dataset, {
      telegramLogin: bot,
      size: "large",
      radius: "8",
      requestAccess: "write",
      authUrl: telegramReturnUrl(location.origin, location.search, state),
    });
    script.onload = () => setMissing(false);
    script.onerror = () => setMissing(true);
    box.append(script);
    const check = setTimeout(() => {
      if (box.querySelector("iframe")) return;
      console.warn("The Telegram widget has not loaded after 3 seconds");
      setMissing(true);
    }, LOAD_TIMEOUT_MS);
    return () => {
      clearTimeout(check);
      box.replaceChildren();
    };
  }, [bot]);
  return (
    <div className="flex flex-col items-center">
      <div
        ref={container}
        id="telegram-login-container"
        className={clsx("flex justify-center", !missing && "min-h-10")}
      />
      <p role="status" className="text-balance text-center text-md text-muted">
        {missing && "Не удалось загрузить вход через Telegram. Обновите страницу или войдите по email."}
      </p>
    </div>
  );
}
