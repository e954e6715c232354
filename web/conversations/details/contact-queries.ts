import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type ContactUpdate, contactsApi } from "#contract/conversations/contact-card.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { usePolling } from "#web/parts/live/live.ts";

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

const useChange = <Input, Answer>(change: (input: Input) => Promise<Answer>) => useMutation({ mutationFn: change });

export const useUpdateContact = (id: string) =>
  useChange((input: ContactUpdate) => call(contactsApi.update, { params: { id }, input }));
export const useForgetContact = (id: string) => useChange(() => call(contactsApi.forget, { params: { id } }));

/** Contacts that may be the same person, those with the same name first. */
export const useCandidates = (id: string, q: string) =>
  useQuery({ ...queryOf(contactsApi.candidates, { params: { id }, query: { q } }), placeholderData: keepPreviousData });
export const useMergeContact = (id: string) =>
  useChange((conversationId: string) => call(contactsApi.merge, { params: { id }, input: { conversationId } }));
export const useSplitContact = (id: string) =>
  useChange((otherId: string) => call(contactsApi.split, { params: { id, otherId } }));

/** Changes of short texts: facts about a contact, and notes on a conversation. */
export interface TextChanges {
  add: (text: string) => Promise<unknown>;
  edit: (id: string, text: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

export function useFactChanges(id: string): TextChanges {
  const add = useChange((text: string) => call(contactsApi.addFact, { params: { id }, input: { text } }));
  const edit = useChange((fact: { id: string; text: string }) =>
    call(contactsApi.editFact, { params: { id: fact.id }, input: { text: fact.text } }),
  );
  const remove = useChange((fact: string) => call(contactsApi.removeFact, { params: { id: fact } }));
  return { add: add.mutateAsync, edit: (id, text) => edit.mutateAsync({ id, text }), remove: remove.mutateAsync };
}

export function useNoteChanges(id: string): TextChanges {
  const add = useChange((text: string) => call(contactsApi.addNote, { params: { id }, input: { text } }));
  const edit = useChange((note: { id: string; text: string }) =>
    call(contactsApi.editNote, { params: { id: note.id }, input: { text: note.text } }),
  );
  const remove = useChange((note: string) => call(contactsApi.removeNote, { params: { id: note } }));
  return { add: add.mutateAsync, edit: (id, text) => edit.mutateAsync({ id, text }), remove: remove.mutateAsync };
}
