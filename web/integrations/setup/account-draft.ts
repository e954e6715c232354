import { useState } from "react";
import { DRAFT_PREFIX } from "#web/drafts.ts";
import { useSession } from "#web/session/session.tsx";
import type { TelegramAccount } from "./setup-queries.ts";

const nothing: TelegramAccount = { apiId: "", apiHash: "", phoneNumber: "", twinId: "" };

/**
 * Keeps the wizard's input through a reload, for this tab and this user; the API hash and the proxy stay in memory only.
 * It does not use react-hook-form: its errors are toasts, and the screen's code is a tenth smaller without the library.
 */
export function useAccountDraft() {
  const { user } = useSession();
  const key = `${DRAFT_PREFIX}${user?.id ?? ""}:telegram-setup`;
  const [account, setAccount] = useState<TelegramAccount>(() => ({ ...nothing, ...savedDraft(key) }));

  function change(fields: Partial<TelegramAccount>) {
    const next = { ...account, ...fields };
    const { apiHash: _secret, proxy: _proxy, ...kept } = next;
    sessionStorage.setItem(key, JSON.stringify(kept));
    setAccount(next);
  }
  function clear() {
    sessionStorage.removeItem(key);
    setAccount(nothing);
  }
  return { account, change, clear };
}

function savedDraft(key: string): Partial<TelegramAccount> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}
