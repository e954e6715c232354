import type { OrganizationTwin, Subscription } from "#contract/organizations/organizations.ts";
import type { OrganizationStorage } from "#contract/organizations/storage.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { NOW, uuid } from "./ids.ts";

export const buildPlan = (id: string, own: Partial<SubscriptionPlan> = {}): SubscriptionPlan => ({
  id,
  name: id,
  description: "Для команды",
  price: 4999,
  billingPeriod: "month",
  isActive: true,
  features: ["Первое", "Второе"],
  ...own,
});

export const buildSubscription = (own: Partial<Subscription> = {}): Subscription => ({
  plan: buildPlan("business", { name: "Business" }),
  status: "active",
  since: NOW,
  pending: null,
  ...own,
});

export const buildOrganizationTwin = (n: number, own: Partial<OrganizationTwin> = {}): OrganizationTwin => ({
  id: uuid(n),
  name: `Двойник ${n}`,
  status: "ready",
  isActive: true,
  ownerName: "Иван",
  messages: 21,
  createdAt: NOW,
  ...own,
});

/** What an organisation has used of ten gigabytes. */
export const buildStorage = (
  usedGigabytes: number,
  disk: OrganizationStorage["disk"] = "enough",
): OrganizationStorage => ({
  usedBytes: usedGigabytes * 1024 ** 3,
  limitBytes: 10 * 1024 ** 3,
  uploadsBytes: usedGigabytes * 1024 ** 3,
  documentsBytes: 0,
  indexesBytes: 0,
  mediaBytes: 0,
  disk,
});
