import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { ENDED } from "#contract/tags.ts";
import { type TrainingState, type Twin, type TwinInput, type TwinUpdate, twinsApi } from "#contract/twins.ts";
import { ApiError } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { refresh } from "#web/api/refresh.ts";
import { ReadTwin, twinDetail, twinList } from "./read-twin.ts";

const twinsKey = queryKeyOf(twinsApi.list, {});

/** The specification does not define the response to a change: null when it is no twin, which is then refetched. */
const twinOrNothing = z.catch(z.nullable(ReadTwin), null);

const TRAINING_POLL_MS = 2000;

export function useTwins(enabled = true) {
  return useQuery({ ...queryOf(twinList), enabled });
}

export function useTwin(id: string) {
  return useQuery(queryOf(twinDetail, { params: { id } }));
}

/** Whether reading a twin failed because it does not exist, belongs to another organisation, or has an invalid id. */
export function isTwinMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** Whether embeddings are still being computed, which a ready twin does in the background. */
const learnsEmbeddings = (state: TrainingState | undefined) =>
  state?.embeddings &&
  !state.embeddings.ready &&
  state.embeddings.error === null &&
  state.chunks + state.replyExamples > 0;

/** Progress of the twin's training, polled every two seconds while a job runs. Its end refetches the twin and the lists. */
export function useTraining(id: string, enabled = true) {
  const query = useQuery({
    ...queryOf(twinsApi.training, { params: { id } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.running || learnsEmbeddings(state.data) ? TRAINING_POLL_MS : false),
  });
  const running = query.data?.running;
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && running === false) refresh({ tags: ENDED.training });
    ran.current = running ?? false;
  }, [running]);
  return query;
}

export function useCreateTwin() {
  return useMutation({
    mutationFn: (values: TwinInput) => {
      const input = { ...values, status: "training" };
      return call({ ...twinsApi.create, output: twinOrNothing }, { input });
    },
  });
}

export function useUpdateTwin(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: TwinUpdate) => call({ ...twinsApi.update, output: twinOrNothing }, { params: { id }, input }),
    onSuccess: (twin) => {
      if (twin) client.setQueryData(queryKeyOf(twinsApi.get, { params: { id } }), twin);
    },
  });
}

export function useRemoveTwin(id: string) {
  const client = useQueryClient();
  const gone = useRef(false);
  // The cache of a deleted twin is removed with the screen that deleted it, so that «back» does not show it.
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
    },
  });
}
