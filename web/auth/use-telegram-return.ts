import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { TelegramLoginInput } from "#contract/organizations/auth.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { readTelegramReturn, TELEGRAM_STATE } from "./telegram-return.ts";

/** Passes the widget's payload in the URL to `signIn` once and removes it from the URL. */
export function useTelegramReturn(signIn: (payload: TelegramLoginInput) => void) {
  const [, navigate] = useLocation();
  const looked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it happens once, when the page is opened
  useEffect(() => {
    if (looked.current) return;
    looked.current = true;
    const brought = readTelegramReturn(location.search);
    if (brought === undefined) return;
    const asked = sessionStorage.getItem(TELEGRAM_STATE);
    sessionStorage.removeItem(TELEGRAM_STATE);
    navigate(brought.address, { replace: true });
    if (asked === brought.state) return signIn(brought.payload);
    toast({
      title: "Ошибка",
      description: "Вход через Telegram начат не в этой вкладке. Попробуйте ещё раз",
      variant: "destructive",
    });
  }, []);
}
