import { useMutation, useQuery } from "@tanstack/react-query";
import { actsApi, type ConversationAct } from "#contract/conversations/acts.ts";
import { labelsApi } from "#contract/conversations/labels.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";

export const actOn = (ids: string[], act: ConversationAct) => call(actsApi.act, { input: { ids, act } });

/** Refetched whenever they are offered, because the times are relative to the present. */
export const useSnoozeTimes = () => useQuery({ ...queryOf(actsApi.snoozeTimes), staleTime: 0, gcTime: 0 });

export const useLabels = () => useQuery(queryOf(labelsApi.list));
export const useCreateLabel = () =>
  useMutation({ mutationFn: (name: string) => call(labelsApi.create, { input: { name } }) });
export const useRemoveLabel = () =>
  useMutation({ mutationFn: (id: string) => call(labelsApi.remove, { params: { id } }) });
