import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { authApi, type Role } from "#contract/auth.ts";
import type { InviteInput, Member, TwinsThen } from "#contract/organizations.ts";
import {
  adminApi,
  type NewOrganizationInput,
  type OrganizationChange,
  type OrganizationSummary,
  type PlanInput,
  type PlatformPayment,
} from "#contract/platform.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { usePortions } from "#web/portions.ts";

export const usePlatformStats = () => useQuery(queryOf(adminApi.stats));
export const usePlatformDays = () => useQuery(queryOf(adminApi.daily));
export const useAllPlans = () => useQuery(queryOf(adminApi.plans));
export const useAllOrganizations = (q: string) =>
  usePortions<OrganizationSummary>(adminApi.organizations, { query: { q: q.trim() || undefined } });
export const useOpenInvoices = () => usePortions<PlatformPayment>(adminApi.payments, { query: { status: "pending" } });
export const useMembersOf = (id: string, q: string) =>
  usePortions<Member>(adminApi.members, { params: { id }, query: { q: q.trim() || undefined } });
export const useOrganization = (id: string) => useQuery(queryOf(adminApi.organization, { params: { id } }));

/** What an administrator of the platform changes may show in any list of his, and in his own organisation's. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    const keys = [
      ["/api/admin/organizations"],
      ["/api/admin/subscription-plans"],
      ["/api/organizations"],
      queryKeyOf(adminApi.stats, {}),
      queryKeyOf(adminApi.daily, {}),
      ["/api/admin/payments"],
      ["/api/subscription-plans"],
      queryKeyOf(authApi.organizations, {}),
    ];
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
}

export function useAddOrganization() {
  return useMutation({
    mutationFn: (input: z.input<typeof NewOrganizationInput>) => call(adminApi.addOrganization, { input }),
    onSuccess: useRefresh(),
  });
}

export function useChangeOrganization(id: string) {
  return useMutation({
    mutationFn: (input: OrganizationChange) => call(adminApi.changeOrganization, { params: { id }, input }),
    onSuccess: useRefresh(),
  });
}

export function useInviteInto(id: string) {
  return useMutation({
    mutationFn: (input: z.input<typeof InviteInput>) => call(adminApi.inviteMember, { params: { id }, input }),
    onSuccess: useRefresh(),
  });
}

export function useChangeMemberRole(id: string) {
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      call(adminApi.changeMemberRole, { params: { id, userId }, input: { role } }),
    onSettled: useRefresh(),
  });
}

export const holdingsOfMember = (id: string, userId: string) =>
  queryOf(adminApi.memberHoldings, { params: { id, userId } });

export function useRemoveAnyMember(id: string) {
  return useMutation({
    mutationFn: ({ userId, twins }: { userId: string; twins: TwinsThen }) =>
      call(adminApi.removeMember, { params: { id, userId }, query: { twins } }),
    onSuccess: useRefresh(),
  });
}

export function useChangePlan(id: string) {
  return useMutation({
    mutationFn: (input: PlanInput) => call(adminApi.changePlan, { params: { id }, input }),
    onSuccess: useRefresh(),
  });
}

export function useSettlePayment() {
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: "paid" | "cancelled" }) =>
      call(adminApi.settlePayment, { params: { id }, input: { status } }),
    onSettled: useRefresh(),
  });
}
