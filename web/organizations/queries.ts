import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { authApi, type Role } from "#contract/organizations/auth.ts";
import {
  Invited,
  type InviteInput,
  type Member,
  type OrganizationTwin,
  organizationsApi,
  type Payment,
  type TwinHandover,
} from "#contract/organizations/organizations.ts";
import { call } from "#web/api/call.ts";
import { usePages } from "#web/api/pagination.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";

export const useOrganizations = () => useQuery(queryOf(authApi.organizations));
export const useOrganizationStats = () => useQuery(queryOf(organizationsApi.stats, useOwnOrganization()));
export const useSubscription = () => useQuery(queryOf(organizationsApi.subscription, useOwnOrganization()));
export const useUsage = () => useQuery(queryOf(organizationsApi.usage, useOwnOrganization()));
export const usePlans = () => useQuery(queryOf(organizationsApi.plans));
export const useMembers = (q: string) =>
  usePages<Member>(organizationsApi.users, { ...useOwnOrganization(), query: { q: q.trim() || undefined } });
export const useOrganizationTwins = () => usePages<OrganizationTwin>(organizationsApi.twins, useOwnOrganization());
export const usePayments = () => usePages<Payment>(organizationsApi.payments, useOwnOrganization());

export function useInvite() {
  const { params } = useOwnOrganization();
  return useMutation({
    mutationFn: (input: z.input<typeof InviteInput>) =>
      call({ ...organizationsApi.invite, output: z.catch(z.nullable(Invited), null) }, { params, input }),
  });
}

export function useChangeRole() {
  const { params } = useOwnOrganization();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      call(organizationsApi.changeRole, { params: { ...params, userId: id }, input: { role } }),
    onError: () => refreshAfter(organizationsApi.changeRole),
  });
}

export function useResourcesOf() {
  const { params } = useOwnOrganization();
  return ({ id }: Member) => queryOf(organizationsApi.resources, { params: { ...params, userId: id } });
}

export function useRemoveMember() {
  const { params } = useOwnOrganization();
  return useMutation({
    mutationFn: ({ id, twins }: { id: string; twins: TwinHandover }) =>
      call(organizationsApi.removeMember, { params: { ...params, userId: id }, query: { twins } }),
  });
}

export function useChoosePlan() {
  const { params } = useOwnOrganization();
  return useMutation({
    mutationFn: (planId: string) => call(organizationsApi.choosePlan, { params, input: { planId } }),
  });
}
