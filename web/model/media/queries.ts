import { useMutation, useQuery } from "@tanstack/react-query";
import { type MediaKind, type MediaReaderInput, mediaReadersApi } from "#contract/models/media-readers.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";

export const useMediaReaders = () => useQuery(queryOf(mediaReadersApi.list, useOwnOrganization()));

export function useMediaReaderActs(kind: MediaKind) {
  const { params } = useOwnOrganization();
  const address = { params: { ...params, kind } };
  return {
    save: useMutation({
      mutationFn: (input: MediaReaderInput) => call(mediaReadersApi.set, { ...address, input }),
      onSuccess: refreshed,
    }),
    check: useMutation({
      mutationFn: (input: MediaReaderInput) => call(mediaReadersApi.check, { ...address, input }),
    }),
  };
}
