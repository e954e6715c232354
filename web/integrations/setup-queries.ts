import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { accountDialogsApi } from "#contract/account-dialogs.ts";
import { integrationsApi } from "#contract/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { call, queryKeyOf, queryOf, send, serverSentenceOf } from "#web/api.ts";
import { telegramImport } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { toast } from "#web/ui/toast.ts";
import { invalidateHistory } from "./history-changes.ts";
import { invalidateIntegrations, toastRefusal } from "./queries.ts";

// The wizard goes on with what comes, whatever of it is missing.
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
const LOOK_MS = 1_000;

/** How far the import is; asked for every second. */
export const useImportState = (id: string) =>
  useQuery({ ...queryOf(shownImport, { params: { id } }), refetchInterval: LOOK_MS });

/** How the latest import went, or goes. */
export const useLatestImport = (id: string) =>
  useQuery({
    ...queryOf(shownImport, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? LOOK_MS : false),
  });

/** Asked of Telegram anew each time: people write meanwhile. */
export const useAccountDialogs = (id: string) =>
  useQuery({ ...queryOf(accountDialogsApi.list, { params: { id } }), staleTime: 0, gcTime: 0 });

/** Begins to read the chosen dialogues; how far that is, `useLatestImport` knows. */
export function useImportChosen(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (dialogs: string[]) => send(knowledgeBaseApi.reimport, { params: { id }, input: { dialogs } }),
    onSuccess: async () => {
      toast({ title: "Переимпорт запущен", description: "Данные обновляются в фоновом режиме" });
      await client.invalidateQueries({ queryKey: queryKeyOf(integrationsApi.importState, { params: { id } }) });
    },
  });
}

export interface TelegramAccount {
  apiId: string;
  apiHash: string;
  phoneNumber: string;
  twinId: string;
}

/** What the code belongs to, as the server named it. */
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
    onError: (error) => toastRefusal("Ошибка", error, "Не удалось отправить код"),
  });
}

interface Verification extends TelegramAccount, CodeSession {
  verificationCode: string;
  password?: string;
}

/** Gives the new integration's id, or null where the server named none. @throws when the code was refused, after its toast */
export function useVerifyCode() {
  const client = useQueryClient();
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
      void invalidateIntegrations(client);
    },
    onError: (error) => toastRefusal("Ошибка верификации", error, "Неверный код подтверждения"),
  });
}

export function useImportData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ integrationId, dialogs }: { integrationId: string; dialogs?: string[] }) => {
      const params = { id: integrationId };
      try {
        const input = { ...telegramImport, ...(dialogs && { dialogs }) };
        return (await call({ ...integrationsApi.importData, output: imported }, { params, input })).stats ?? null;
      } catch (error) {
        if (serverSentenceOf(error) !== undefined) throw error;
        return await afterSilence(params, error);
      }
    },
    onSuccess: (stats) => {
      toast({ title: "Обучение завершено!", description: importText(stats) });
      void invalidateHistory(client);
    },
    onError: (error) => toastRefusal("Ошибка импорта", error, "Не удалось импортировать данные"),
  });
}

/** A long import outlives its call, which a proxy or the network may cut: then it is asked how it ended. @throws `error` when nothing runs */
async function afterSilence(params: { id: string }, error: unknown): Promise<ShownStats | null> {
  for (let ran = false; ; ran = true) {
    const now = await call(shownImport, { params }).catch(() => null);
    if (ran && now?.status === "done") return now.stats ?? null;
    if (now !== null && now.status !== "running") throw error;
    if (now === null && !ran) throw error;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const importText = (stats: ShownStats | null) =>
  stats ? `Импортировано сообщений: ${formatNumber(stats.totalMessages)}` : "Импорт завершен!";
