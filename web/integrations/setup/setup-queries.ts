import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { accountDialogsApi } from "#contract/knowledge/account-dialogs.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { ENDED } from "#contract/tags.ts";
import { ApiError, isNetworkError, serverSentenceOf } from "#web/api/api-error.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refresh, refreshed } from "#web/api/refresh.ts";
import { telegramImport } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { reimportBegan } from "#web/parts/reimport/reimport-ends.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

// The wizard continues with incomplete responses, so every field may be missing.
const text = z.catch(z.optional(z.nullable(z.string())), null);
const id = z.catch(z.optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String))), undefined);
const codeSent = z.object({ phoneCodeHash: text, sessionId: id, integrationId: id });
const codeVerified = z.object({
  success: z.catch(z.optional(z.boolean()), undefined),
  error: text,
  integration: z.catch(z.optional(z.nullable(z.object({ id }))), null),
});
const shownStats = z.object({
  dialogsProcessed: z.catch(z.optional(z.number()), undefined),
  dialogsSkipped: z.catch(z.optional(z.number()), undefined),
  totalMessages: z.catch(z.number(), 0),
  analysis: z.catch(
    z.optional(
      z.nullable(
        z.object({ communicationStyle: text, personality: text, expertise: z.catch(z.array(z.string()), []) }),
      ),
    ),
    null,
  ),
});
export type ShownStats = z.infer<typeof shownStats>;
const imported = z.catch(z.object({ stats: z.catch(z.optional(z.nullable(shownStats)), null) }), { stats: null });

const shownImport = {
  ...integrationsApi.importState,
  output: z.object({
    status: z.catch(z.string(), ""),
    dialogs: z.catch(z.number(), 0),
    dialogsDone: z.catch(z.number(), 0),
    messages: z.catch(z.number(), 0),
    progress: z.catch(z.number(), 0),
    notice: text,
    stats: z.catch(z.optional(z.nullable(shownStats)), null),
  }),
};
const POLL_MS = 1_000;

export const useImportState = (id: string) =>
  useQuery({ ...queryOf(shownImport, { params: { id } }), refetchInterval: POLL_MS });

export const useLatestImport = (id: string) =>
  useQuery({
    ...queryOf(shownImport, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });

/** Requested from Telegram each time, because new messages arrive in the meantime. */
export const useAccountDialogs = (id: string) =>
  useQuery({ ...queryOf(accountDialogsApi.list, { params: { id } }), staleTime: 0, gcTime: 0 });

export function useImportChosen(id: string) {
  return useMutation({
    mutationFn: (dialogs: string[]) => send(knowledgeBaseApi.reimport, { params: { id }, input: { dialogs } }),
    onSuccess: async () => {
      reimportBegan(id);
      toast({ title: "Переимпорт запущен", description: "Данные обновляются в фоновом режиме" });
      await refreshed();
    },
  });
}

export interface TelegramAccount {
  apiId: string;
  apiHash: string;
  phoneNumber: string;
  twinId: string;
  /** When absent, the account connects directly. */
  proxy?: string;
}

/** The sign-in attempt that the code belongs to, as identified by the server. */
export interface CodeSession {
  phoneCodeHash: string;
  sessionId: string;
}

export function useSendCode() {
  return useMutation({
    mutationFn: async (input: TelegramAccount): Promise<CodeSession> => {
      const answer = await call({ ...integrationsApi.sendCode, output: codeSent }, { input });
      return { phoneCodeHash: answer.phoneCodeHash ?? "", sessionId: answer.sessionId ?? answer.integrationId ?? "" };
    },
    onSuccess: () => toast({ title: "Код отправлен", description: "Введите код, который пришёл в Telegram" }),
    onError: toastRefusal("Ошибка", "Не удалось отправить код"),
  });
}

interface Verification extends TelegramAccount, CodeSession {
  verificationCode: string;
  password?: string;
}

/** Resolves to the new integration's id, or null when the response names none. @throws when the code was rejected, after showing a toast */
export function useVerifyCode() {
  return useMutation({
    mutationFn: (input: Verification) => call({ ...integrationsApi.verifyCode, output: codeVerified }, { input }),
    onSuccess: ({ success, error }) => {
      if (success === false) {
        toast({
          title: "Ошибка верификации",
          description: error || "Проверьте правильность SMS кода",
          variant: "destructive",
        });
        return;
      }
      toast({ title: "Telegram интеграция создана!" });
    },
    onError: toastRefusal("Ошибка верификации", "Неверный код подтверждения"),
  });
}

interface Importing {
  integrationId: string;
  dialogs?: string[];
  /** Whether the import was started earlier, on a page that was left, so that the call only waits for it. */
  begun?: boolean;
}

export function useImportData() {
  return useMutation({
    mutationFn: async ({ integrationId, dialogs, begun = false }: Importing) => {
      const params = { id: integrationId };
      if (begun) return await endOf(params, new Error("Nothing runs"));
      // Remembers an earlier import, so that its end is not mistaken for the end of this one.
      const before = await look(params);
      try {
        const input = { ...telegramImport, ...(dialogs && { dialogs }) };
        return (await call({ ...integrationsApi.importData, output: imported }, { params, input })).stats ?? null;
      } catch (error) {
        // The server itself has answered, not a proxy or a broken connection, so the import has ended.
        const ended = serverSentenceOf(error) !== undefined || (error instanceof ApiError && error.status === 500);
        if (ended) throw error;
        return await endOf(params, error, { endedBefore: before?.status === "done" });
      }
    },
    onSuccess: (stats) => toast({ title: "Обучение завершено!", description: importText(stats) }),
    onError: toastRefusal("Ошибка импорта", "Не удалось импортировать данные"),
  });
}

/** After this time without a response from the server, waiting ends. */
const MAX_SILENCE_MS = 60_000;

/**
 * Waits for the end of an import. A long import outlives its request, which a proxy or the network may cut, and the page that started it.
 * @throws `error` when it has failed, nothing runs, or the server does not answer for MAX_SILENCE_MS
 */
async function endOf(params: { id: string }, error: unknown, { endedBefore = false } = {}): Promise<ShownStats | null> {
  let ended = !endedBefore;
  for (let heardAt = Date.now(); Date.now() - heardAt < MAX_SILENCE_MS; ) {
    const now = await look(params);
    if (now?.status === "done" && ended) {
      refresh({ tags: ENDED.reimport });
      return now.stats ?? null;
    }
    if (now !== null && now.status !== "running") throw error;
    if (now !== null) {
      heardAt = Date.now();
      ended = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw error;
}

/** Returns the import's progress; null while the server is unreachable. */
async function look(params: { id: string }) {
  try {
    return await call(shownImport, { params, signal: AbortSignal.timeout(MAX_SILENCE_MS) });
  } catch (error) {
    const away =
      isNetworkError(error) ||
      (error instanceof DOMException && error.name === "TimeoutError") ||
      (error instanceof ApiError && error.status >= 500);
    return away ? null : { status: "", stats: null };
  }
}

const importText = (stats: ShownStats | null) =>
  stats ? `Импортировано сообщений: ${formatNumber(stats.totalMessages)}` : "Импорт завершен!";
