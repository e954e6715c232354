import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { localModelsApi as api, type LocalModelChange, type LocalModels } from "#contract/models/local-models.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";
import { useSession } from "#web/session/session.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const POLL_MS = 1000;

/** Local models, for the operator; polled while a model is being downloaded. */
export function useLocalModels() {
  const { user } = useSession();
  return useQuery({
    ...queryOf(api.list),
    enabled: user?.superAdmin === true,
    refetchOnMount: "always",
    refetchInterval: ({ state }) =>
      state.data?.installed.some((model) => model.state === "downloading") ? POLL_MS : false,
  });
}

export function useOrganizationModel() {
  const address = useOwnOrganization();
  return useQuery({
    ...queryOf(api.ofOrganization, address),
    refetchOnMount: "always",
    enabled: address.params.orgId !== "",
  });
}

export function useChooseModel() {
  const client = useQueryClient();
  const address = useOwnOrganization();
  return useMutation({
    mutationFn: (choice: string) => call(api.chooseForOrganization, { ...address, input: { choice } }),
    onSuccess: (model) => {
      client.setQueryData(queryKeyOf(api.ofOrganization, address), model);
      toast({ title: "Модель для организации выбрана" });
    },
    onError: toastError("Не удалось выбрать модель"),
  });
}

/** Refetches what a change of a model affects: the list, the organisations' choices, and the engine that writes their replies. */
export const refreshModels = () => refreshAfter(api.change);

const failed = (title: string) => (error: Error) => {
  toastError(title)(error);
  // The change may have succeeded although the call failed.
  refreshModels();
};

export const useInstall = () =>
  useMutation({
    mutationFn: (catalogueId: string) => call(api.install, { input: { catalogueId } }),
    onError: failed("Не удалось начать скачивание"),
  });

/** Takes the recommendation: missing models are downloaded and then chosen by the server, installed ones are chosen now. */
export const useTakeAdvice = () =>
  useMutation({
    mutationFn: async ({ advised, installed }: Pick<LocalModels, "advised" | "installed">) => {
      for (const id of advised) {
        const here = installed.find(({ catalogueId }) => catalogueId === id);
        if (here) await call(api.change, { params: { id: here.id }, input: { chosen: true } });
        else await call(api.install, { input: { catalogueId: id, choose: true } });
      }
    },
    onError: failed("Не удалось скачать и включить"),
  });

const forEach = (title: string, act: (id: string) => Promise<unknown>) => () =>
  useMutation({
    mutationFn: async (models: readonly { id: string }[]) => {
      for (const { id } of models) await act(id);
    },
    onError: failed(title),
  });

export const usePauseAll = forEach("Не удалось приостановить", (id) => call(api.pause, { params: { id } }));
export const useResumeAll = forEach("Не удалось продолжить", (id) => call(api.resume, { params: { id } }));
export const useRemoveAll = forEach("Не удалось отменить", (id) => call(api.remove, { params: { id } }));

/** The offer disappears at once; if the server could not be reached, it is back at the next visit. */
export function usePassOffer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.passOffer),
    onMutate: () =>
      client.setQueryData<LocalModels>(
        queryKeyOf(api.list, {}),
        (models) => models && { ...models, offerPassed: true },
      ),
  });
}

export const usePause = () =>
  useMutation({
    mutationFn: (id: string) => call(api.pause, { params: { id } }),
    onError: failed("Не удалось приостановить"),
  });

export const useResume = () =>
  useMutation({
    mutationFn: (id: string) => call(api.resume, { params: { id } }),
    onError: failed("Не удалось продолжить"),
  });

export const useRemove = () =>
  useMutation({
    mutationFn: (id: string) => call(api.remove, { params: { id } }),
    onError: failed("Не удалось удалить модель"),
  });

export const useChange = () =>
  useMutation({
    mutationFn: ({ id, ...input }: LocalModelChange & { id: string }) => call(api.change, { params: { id }, input }),
    onError: failed("Не удалось изменить"),
  });

/** The call takes long when the model has to be loaded first. */
export const useTrial = (id: string) =>
  useMutation({ mutationFn: (question: string) => call(api.trial, { params: { id }, input: { question } }) });
