import { useMutation, useQuery } from "@tanstack/react-query";
import {
  type ConnectionRenewal,
  type NewMcpConnection,
  type ToolConnection,
  toolConnectionsApi,
} from "#contract/actions/tool-connections.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refresh, refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

export const useConnections = (twinId: string) => useQuery(queryOf(toolConnectionsApi.list, { query: { twinId } }));

interface Opened {
  connection: ToolConnection;
  signInUrl: string | null;
}

/** Leaves for the page on which the owner signs in, if there is one; it sends him back to this screen. */
async function follow(opened: Opened): Promise<void> {
  await refreshed();
  if (opened.signInUrl !== null) window.location.assign(opened.signInUrl);
}

/** The caller shows a failure at its fields. */
export const useConnect = () =>
  useMutation({
    mutationFn: (input: NewMcpConnection): Promise<Opened> => call(toolConnectionsApi.openMcp, { input }),
    onSuccess: follow,
  });

/** A new key, or a new sign-in. The caller shows a failure. */
export const useRenewConnection = () =>
  useMutation({
    mutationFn: ({ id, renewal }: { id: string; renewal: ConnectionRenewal }): Promise<Opened> =>
      call(toolConnectionsApi.renew, { params: { id }, input: renewal }),
    onSuccess: follow,
  });

export const useCompleteConnection = () =>
  useMutation({
    mutationFn: (input: { state: string; code: string; issuer?: string }): Promise<ToolConnection> =>
      call(toolConnectionsApi.complete, { input }),
    onSuccess: refreshed,
  });

/** Takes the new proxy of a connection; "" removes it. The caller shows a failure. */
export const useSetConnectionProxy = (id: string) =>
  useMutation({
    mutationFn: (proxy: string) => call(toolConnectionsApi.setProxy, { params: { id }, input: { proxy } }),
    onSuccess: refreshed,
  });

export const useReadConnection = () =>
  useMutation({
    mutationFn: (id: string): Promise<ToolConnection> => call(toolConnectionsApi.read, { params: { id } }),
    onSuccess: refreshed,
    onError: (error) => {
      // What the server refuses is a state of the connection.
      refresh({ tags: ["tools"] });
      toastError("Не удалось прочитать список")(error);
    },
  });

export const useRemoveConnection = () =>
  useMutation({
    mutationFn: (id: string) => call(toolConnectionsApi.remove, { params: { id } }),
    onSuccess: refreshed,
    onError: toastError("Не удалось отключить систему"),
  });
