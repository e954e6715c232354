import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { analyticsApi } from "#contract/analytics.ts";
import { authApi, type Role } from "#contract/auth.ts";
import {
  Invited,
  type InviteInput,
  type Member,
  type OrganizationTwin,
  organizationsApi,
  type Payment,
  type TwinsThen,
} from "#contract/organizations.ts";
import { twinsApi } from "#contract/twins.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { usePortions } from "#web/portions.ts";
import { useSession } from "#web/session.tsx";

/** The viewer's own organisation: the screen knows no other. */
function useAddress() {
  const { user } = useSession();
  return { params: { orgId: user?.organizationId ?? "" } };
}

export const useOrganizations = () => useQuery(queryOf(authApi.organizations));
export const useOrganizationStats = () => useQuery(queryOf(organizationsApi.stats, useAddress()));
export const useSubscription = () => useQuery(queryOf(organizationsApi.subscription, useAddress()));
export const useUsage = () => useQuery(queryOf(organizationsApi.usage, useAddress()));
export const usePlans = () => useQuery(queryOf(organizationsApi.plans));
export const useMembers = (q: string) =>
  usePortions<Member>(organizationsApi.users, { ...useAddress(), query: { q: q.trim() || undefined } });
export const useOrganizationTwins = () => usePortions<OrganizationTwin>(organizationsApi.twins, useAddress());
export const usePayments = () => usePortions<Payment>(organizationsApi.payments, useAddress());

/** Everything about the organisation is under one key; a member's removal also changes whose twins are whose. */
function useRefresh() {
  const client = useQueryClient();
  return (...more: (readonly unknown[])[]) => {
    for (const queryKey of [["/api/organizations"], queryKeyOf(authApi.organizations, {}), ...more]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}

export function useInvite() {
  const { params } = useAddress();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: z.input<typeof InviteInput>) =>
      call({ ...organizationsApi.invite, output: z.catch(z.nullable(Invited), null) }, { params, input }),
    onSuccess: () => refresh(),
  });
}

export function useChangeRole() {
  const { params } = useAddress();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      call(organizationsApi.changeRole, { params: { ...params, userId: id }, input: { role } }),
    onSettled: () => refresh(),
  });
}

export function useHoldingsOf() {
  const { params } = useAddress();
  return ({ id }: Member) => queryOf(organizationsApi.holdings, { params: { ...params, userId: id } });
}

export function useRemoveMember() {
  const { params } = useAddress();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, twins }: { id: string; twins: TwinsThen }) =>
      call(organizationsApi.removeMember, { params: { ...params, userId: id }, query: { twins } }),
    onSuccess: () => refresh(queryKeyOf(twinsApi.list, {}), queryKeyOf(analyticsApi.dashboard, {})),
  });
}

export function useChoosePlan() {
  const { params } = useAddress();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (planId: string) => call(organizationsApi.choosePlan, { params, input: { planId } }),
    onSuccess: () => refresh(["/api/admin/payments"], ["/api/admin/organizations"]),
  });
}
