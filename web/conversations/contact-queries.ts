import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ContactUpdate, contactsApi } from "#contract/contact-card.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { usePolling } from "#web/live/live.ts";

export const useContact = (conversationId: string) =>
  useQuery({
    ...queryOf(contactsApi.card, { params: { id: conversationId } }),
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });

export const useNotes = (conversationId: string) =>
  useQuery({
    ...queryOf(contactsApi.notes, { params: { id: conversationId } }),
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });

/** Read again are the part of the dialogue that was changed, or all dialogues where its name or its being is. */
function useChange<Input, Answer>(
  conversationId: string,
  part: "contact" | "notes" | "all",
  change: (input: Input) => Promise<Answer>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      const [conversations] = queryKeyOf(conversationsApi.list, {});
      void client.invalidateQueries({
        queryKey: part === "all" ? [conversations, "list"] : [conversations, conversationId, part],
      });
    },
  });
}

export const useUpdateContact = (id: string) =>
  useChange(id, "contact", (input: ContactUpdate) => call(contactsApi.update, { params: { id }, input }));
export const useForgetContact = (id: string) =>
  useChange(id, "all", () => call(contactsApi.forget, { params: { id } }));

/** What is remembered of a contact, and notes to a conversation: texts that are added, changed and removed. */
export interface TextChanges {
  add: (text: string) => Promise<unknown>;
  edit: (id: string, text: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

export function useFactChanges(id: string): TextChanges {
  const add = useChange(id, "contact", (text: string) =>
    call(contactsApi.addFact, { params: { id }, input: { text } }),
  );
  const edit = useChange(id, "contact", (fact: { id: string; text: string }) =>
    call(contactsApi.editFact, { params: { id: fact.id }, input: { text: fact.text } }),
  );
  const remove = useChange(id, "contact", (fact: string) => call(contactsApi.removeFact, { params: { id: fact } }));
  return { add: add.mutateAsync, edit: (id, text) => edit.mutateAsync({ id, text }), remove: remove.mutateAsync };
}

export function useNoteChanges(id: string): TextChanges {
  const add = useChange(id, "notes", (text: string) => call(contactsApi.addNote, { params: { id }, input: { text } }));
  const edit = useChange(id, "notes", (note: { id: string; text: string }) =>
    call(contactsApi.editNote, { params: { id: note.id }, input: { text: note.text } }),
  );
  const remove = useChange(id, "notes", (note: string) => call(contactsApi.removeNote, { params: { id: note } }));
  return { add: add.mutateAsync, edit: (id, text) => edit.mutateAsync({ id, text }), remove: remove.mutateAsync };
}
