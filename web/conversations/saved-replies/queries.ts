import { useMutation, useQuery } from "@tanstack/react-query";
import { type SavedReplyInput, savedRepliesApi } from "#contract/conversations/saved-replies.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";

export const useSavedReplies = (enabled = true) => useQuery({ ...queryOf(savedRepliesApi.list), enabled });

/** `id` null creates a new reply. */
export const useSaveReply = () =>
  useMutation({
    mutationFn: ({ id, input }: { id: string | null; input: SavedReplyInput }) =>
      id === null ? call(savedRepliesApi.create, { input }) : call(savedRepliesApi.edit, { params: { id }, input }),
  });
export const useRemoveReply = () =>
  useMutation({ mutationFn: (id: string) => call(savedRepliesApi.remove, { params: { id } }) });
