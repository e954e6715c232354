import { useState } from "react";
import { DRAFT_PREFIX } from "#web/drafts.ts";
import { useSession } from "#web/session/session.tsx";
import type { TelegramAccount } from "./setup-queries.ts";

const nothing: TelegramAccount = { apiId: "", apiHash: "", phoneNumber: "", twinId: "" };

/**
 * What is typed into the wizard, kept through a reload for this tab and this person; the API hash and the proxy live in memory only.
 * Not a form of react-hook-form: its rules are toasts, and the screen loads a tenth less without it.
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
