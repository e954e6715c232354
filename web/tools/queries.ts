import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { ACTS_PAGE, type Act, type ActsShown, toolActsApi } from "#contract/actions/acts.ts";
import { calendarsApi, type NewCalendarAccount } from "#contract/actions/calendars.ts";
import { toolDraftApi } from "#contract/actions/tool-draft.ts";
import { type DescriptionInput, toolImportApi } from "#contract/actions/tool-import.ts";
import { type TableInputFile, type Tool, type ToolInput, type TrialInput, toolsApi } from "#contract/actions/tools.ts";
import { crmApi } from "#contract/integrations/crm.ts";
import { call, readPageOf } from "#web/api/call.ts";
import { cacheOptionsFor, queryKeyOf, queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { inputOfTool } from "./form/form-values.ts";

export const useTools = (twinId: string, enabled: boolean) =>
  useQuery({ ...queryOf(toolsApi.list, { query: { twinId } }), enabled });

/** Numbers of the twin's acts in the last 30 days, by tool. */
export const useActFigures = (twinId: string) =>
  useQuery(queryOf(toolActsApi.figures, { query: { twinId, days: "30" } }));

/** Creates a tool, or changes the one with `id`. The caller shows a failure at the form's fields. */
export const useSaveTool = (twinId: string) =>
  useMutation({
    mutationFn: ({ id, tool }: { id: string | undefined; tool: ToolInput }): Promise<Tool> =>
      id === undefined
        ? call(toolsApi.create, { input: { twinId, tool } })
        : call(toolsApi.update, { params: { id }, input: tool }),
    onSuccess: refreshed,
  });

/** Switched on, what was called never asks its owner each time, which is the careful way. */
const switchedInput = (tool: Tool, enabled: boolean): ToolInput => ({
  ...inputOfTool(tool),
  enabled,
  ...(enabled && tool.degree === "never" ? { degree: "asks" } : {}),
});

export const useSwitchTool = () =>
  useMutation({
    mutationFn: ({ tool, enabled }: { tool: Tool; enabled: boolean }) =>
      call(toolsApi.update, { params: { id: tool.id }, input: switchedInput(tool, enabled) }),
    onSuccess: refreshed,
    onError: toastError("Не удалось переключить действие"),
  });

export const useRemoveTool = () =>
  useMutation({
    mutationFn: (id: string) => call(toolsApi.remove, { params: { id } }),
    onSuccess: refreshed,
    onError: toastError("Не удалось удалить действие"),
  });

export const useReadTable = () =>
  useMutation({ mutationFn: (input: TableInputFile) => call(toolsApi.readTable, { input }) });

/** Reads a description of the owner's system: a text, or an address. */
export const useReadDescription = (twinId: string) =>
  useMutation({
    mutationFn: (given: Omit<DescriptionInput, "twinId">) => call(toolImportApi.read, { input: { twinId, ...given } }),
  });

/** Makes tools that are off. The caller shows a failure. */
export const useCreateChosen = (twinId: string) =>
  useMutation({
    mutationFn: (tools: ToolInput[]) => call(toolImportApi.create, { input: { twinId, tools } }),
    onSuccess: refreshed,
  });

/** The CRM systems of the organisation, and the one that is chosen for the twin; undefined: none is. */
export function useTwinCrm(twinId: string, enabled: boolean) {
  const query = useQuery({ ...queryOf(crmApi.overview), enabled });
  const choice = query.data?.choices.find((one) => one.twinId === twinId);
  return { query, chosen: query.data?.connections.find(({ id }) => id === choice?.connectionId) };
}

/** Connects a calendar. The caller shows a failure at the form's fields. */
export const useConnectCalendar = () =>
  useMutation({
    mutationFn: (input: NewCalendarAccount) => call(calendarsApi.open, { input }),
    onSuccess: refreshed,
  });

interface Trial {
  /** Of the stored tool whose header values are used where the form has none. */
  toolId: string | undefined;
  tool: ToolInput;
  sample: TrialInput;
}

export const useTryTool = (twinId: string) =>
  useMutation({
    mutationFn: ({ toolId, tool, sample }: Trial) =>
      call(toolDraftApi.try, { input: { twinId, ...(toolId && { toolId }), tool, ...sample } }),
  });

interface ActsPage {
  rows: Act[];
  next: string | undefined;
}

export interface ActsFilter {
  /** undefined: of whatever outcome. */
  show: ActsShown | undefined;
  /** "": of all tools. */
  toolId: string;
}

/** The twin's acts page by page, the newest first. */
export function useActs(twinId: string, { show, toolId }: ActsFilter) {
  const query = { twinId, ...(show && { show }), ...(toolId && { toolId }) };
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(toolActsApi.list, { query }), "pages"],
    ...cacheOptionsFor(toolActsApi.list),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<ActsPage> => {
      const { rows, sent } = await readPageOf(toolActsApi.list, {
        query: { ...query, ...(pageParam && { before: pageParam }) },
        signal,
      });
      return { rows, next: sent < ACTS_PAGE ? undefined : rows.at(-1)?.cursor };
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}
