import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type TwinExam, type TwinExamMark, twinExamApi } from "#contract/twin-exam.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 2000;

/** Polled while the twin is asked. @param enabled false for members who are not the twin's owner: the exam holds his letters */
export const useTwinExam = (id: string, enabled = true) =>
  useQuery({
    ...queryOf(twinExamApi.get, { params: { id } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.current?.state === "asking" ? POLL_MS : false),
  });

export function useTwinExamActs(id: string) {
  const client = useQueryClient();
  const { queryKey } = queryOf(twinExamApi.get, { params: { id } });
  const onSuccess = (exam: TwinExam) => client.setQueryData(queryKey, exam);
  const params = { id };
  return {
    start: useMutation({ mutationFn: () => call(twinExamApi.start, { params }), onSuccess }),
    cancel: useMutation({
      mutationFn: () => call(twinExamApi.cancel, { params }),
      onSuccess,
      onError: toastError("Не удалось отменить экзамен"),
    }),
    finish: useMutation({
      mutationFn: () => call(twinExamApi.finish, { params }),
      onSuccess,
      onError: toastError("Не удалось закончить экзамен"),
    }),
    mark: useMutation({
      mutationFn: ({ answerId, ...input }: { answerId: string; mark: TwinExamMark }) =>
        call(twinExamApi.mark, { params: { id, answerId }, input }),
      onSuccess,
      onError: toastError("Не удалось сохранить оценку"),
    }),
  };
}
