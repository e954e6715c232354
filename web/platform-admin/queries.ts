import { useMutation, useQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { Role } from "#contract/organizations/auth.ts";
import type { InviteInput, Member, TwinHandover } from "#contract/organizations/organizations.ts";
import {
  adminApi,
  type NewOrganizationInput,
  type OrganizationChange,
  type OrganizationSummary,
  type PlanInput,
  type PlatformPayment,
} from "#contract/organizations/platform.ts";
import { call } from "#web/api/call.ts";
import { usePages } from "#web/api/pagination.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshAfter } from "#web/api/refresh.ts";

export const usePlatformStats = () => useQuery(queryOf(adminApi.stats));
export const usePlatformDays = () => useQuery(queryOf(adminApi.daily));
export const useAllPlans = () => useQuery(queryOf(adminApi.plans));
export const useAllOrganizations = (q: string) =>
  usePages<OrganizationSummary>(adminApi.organizations, { query: { q: q.trim() || undefined } });
export const useOpenInvoices = () => usePages<PlatformPayment>(adminApi.payments, { query: { status: "pending" } });
export const useMembersOf = (id: string, q: string) =>
  usePages<Member>(adminApi.members, { params: { id }, query: { q: q.trim() || undefined } });
export const useOrganization = (id: string) => useQuery(queryOf(adminApi.organization, { params: { id } }));

export function useAddOrganization() {
  return useMutation({
    mutationFn: (input: z.input<typeof NewOrganizationInput>) => call(adminApi.addOrganization, { input }),
  });
}

export function useChangeOrganization(id: string) {
  return useMutation({
    mutationFn: (input: OrganizationChange) => call(adminApi.changeOrganization, { params: { id }, input }),
  });
}

export function useInviteInto(id: string) {
  return useMutation({
    mutationFn: (input: z.input<typeof InviteInput>) => call(adminApi.inviteMember, { params: { id }, input }),
  });
}

export function useChangeMemberRole(id: string) {
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      call(adminApi.changeMemberRole, { params: { id, userId }, input: { role } }),
    onError: () => refreshAfter(adminApi.settlePayment),
  });
}

export const resourcesOfMember = (id: string, userId: string) =>
  queryOf(adminApi.memberResources, { params: { id, userId } });

export function useRemoveAnyMember(id: string) {
  return useMutation({
    mutationFn: ({ userId, twins }: { userId: string; twins: TwinHandover }) =>
      call(adminApi.removeMember, { params: { id, userId }, query: { twins } }),
  });
}

export function useChangePlan(id: string) {
  return useMutation({
    mutationFn: (input: PlanInput) => call(adminApi.changePlan, { params: { id }, input }),
  });
}

export function useSettlePayment() {
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: "paid" | "cancelled" }) =>
      call(adminApi.settlePayment, { params: { id }, input: { status } }),
    onError: () => refreshAfter(adminApi.settlePayment),
  });
}
