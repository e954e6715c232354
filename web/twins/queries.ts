import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { analyticsApi } from "#contract/analytics.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { knowledgeApi } from "#contract/knowledge.ts";
import { type TrainingState, type Twin, type TwinInput, type TwinUpdate, twinsApi } from "#contract/twins.ts";
import { ApiError, call, queryKeyOf, queryOf } from "#web/api.ts";
import { ReadTwin, twinDetail, twinList } from "./read-twin.ts";

const twinsKey = queryKeyOf(twinsApi.list, {});

/** Lists beside the twins' own that name twins or count them. */
const keysThatNameTwins = [
  queryKeyOf(analyticsApi.dashboard, {}),
  queryKeyOf(analyticsApi.activity, {}),
  queryKeyOf(conversationsApi.list, {}),
  queryKeyOf(knowledgeApi.documents, {}),
  ["/api/integrations"],
  ["/api/crm/integrations"],
  ["/api/knowledge-base/stats"],
  ["/api/knowledge-base/sources"],
  ["/api/knowledge-base/messages"],
];

/** What a change answers is not specified: null where it is no twin, which is then read anew. */
const twinOrNothing = z.catch(z.nullable(ReadTwin), null);

const TRAINING_POLL_MS = 2000;

export function useTwins() {
  return useQuery(queryOf(twinList));
}

export function useTwin(id: string) {
  return useQuery(queryOf(twinDetail, { params: { id } }));
}

/** Whether reading one twin failed because there is no such twin: unknown, another organisation's, or no id at all. */
export function isTwinMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** A twin that serves already goes on learning what its knowledge means. */
const learnsMeaning = (state: TrainingState | undefined) =>
  state?.meaning && !state.meaning.ready && state.meaning.error === null && state.passages + state.exemplars > 0;

/** How far the twin's training is: asked every two seconds while a job runs; its end renews the twin and the lists. */
export function useTraining(id: string, enabled = true) {
  const client = useQueryClient();
  const query = useQuery({
    ...queryOf(twinsApi.training, { params: { id } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.running || learnsMeaning(state.data) ? TRAINING_POLL_MS : false),
  });
  const running = query.data?.running;
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && running === false) void invalidateTwins(client);
    ran.current = running ?? false;
  }, [running, client]);
  return query;
}

export function useCreateTwin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: TwinInput) => {
      const input = { ...values, status: "training" };
      return call({ ...twinsApi.create, output: twinOrNothing }, { input });
    },
    onSuccess: () => void invalidateTwins(client),
  });
}

export function useUpdateTwin(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: TwinUpdate) => call({ ...twinsApi.update, output: twinOrNothing }, { params: { id }, input }),
    onSuccess: (twin) => {
      if (twin) client.setQueryData(queryKeyOf(twinsApi.get, { params: { id } }), twin);
      void invalidateTwins(client);
    },
  });
}

export function useRemoveTwin(id: string) {
  const client = useQueryClient();
  const gone = useRef(false);
  // What is known of a removed twin goes with the screen that removed it: «back» must find nothing.
  useEffect(
    () => () => {
      if (gone.current) client.removeQueries({ queryKey: [...twinsKey, id] });
    },
    [client, id],
  );
  return useMutation({
    mutationFn: () => call(twinsApi.remove, { params: { id } }),
    onSuccess: () => {
      gone.current = true;
      client.setQueryData<Twin[]>(twinsKey, (twins) => twins?.filter((twin) => twin.id !== id));
      // Reading the twin that is gone would only fail.
      void invalidateTwins(client, id);
    },
  });
}

async function invalidateTwins(client: QueryClient, gone?: string) {
  await Promise.all([
    client.invalidateQueries({ queryKey: twinsKey, predicate: ({ queryKey }) => !gone || queryKey[1] !== gone }),
    ...keysThatNameTwins.map((queryKey) => client.invalidateQueries({ queryKey })),
  ]);
}
