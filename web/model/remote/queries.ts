import { useMutation, useQuery } from "@tanstack/react-query";
import { type RemoteModelInput, remoteModelApi } from "#contract/models/remote-model.ts";
import { remoteSearchApi } from "#contract/models/remote-search.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";

/** Polling interval, because today's cost grows while the screen is open. */
const REFRESH_MS = 30_000;
const EXAM_MS = 2000;

export const useRemoteModel = () =>
  useQuery({
    ...queryOf(remoteModelApi.get, useOwnOrganization()),
    refetchInterval: ({ state }) => (state.data?.examining ? EXAM_MS : REFRESH_MS),
  });

export function useRemoteModelActs() {
  const address = useOwnOrganization();
  return {
    save: useMutation({
      mutationFn: (input: RemoteModelInput) => call(remoteModelApi.set, { ...address, input }),
      onSuccess: refreshed,
    }),
    check: useMutation({
      mutationFn: (input: RemoteModelInput) => call(remoteModelApi.check, { ...address, input }),
    }),
    examine: useMutation({ mutationFn: () => call(remoteModelApi.examine, address), onSuccess: refreshed }),
    remove: useMutation({ mutationFn: () => call(remoteModelApi.remove, address), onSuccess: refreshed }),
  };
}

/** Polls fast while twins learn. */
export const useRemoteSearch = () =>
  useQuery({
    ...queryOf(remoteSearchApi.get, useOwnOrganization()),
    refetchInterval: ({ state: { data } }) =>
      data?.model != null && data.twins.ready < data.twins.all && data.error === null ? EXAM_MS : REFRESH_MS,
  });

/** The provider is asked once. */
export const useOfferedSearchModels = () =>
  useQuery({ ...queryOf(remoteSearchApi.models, useOwnOrganization()), staleTime: Number.POSITIVE_INFINITY });

export function useRemoteSearchActs() {
  const address = useOwnOrganization();
  return {
    set: useMutation({
      mutationFn: (model: string) => call(remoteSearchApi.set, { ...address, input: { model } }),
      onSuccess: refreshed,
    }),
    goBack: useMutation({ mutationFn: () => call(remoteSearchApi.remove, address), onSuccess: refreshed }),
  };
}
