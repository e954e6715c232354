import {
  BookOpen,
  ChartColumn,
  Database,
  House,
  type LucideIcon,
  MessageSquare,
  Plug,
  Settings,
  Users,
} from "lucide-react";
import { sideBadges } from "#web/display-values.ts";
import type { Key } from "#web/i18n/dictionary.ts";
import { paths } from "#web/paths.ts";

export interface Section {
  path: string;
  also: readonly string[];
  label: Key;
  about?: Key;
  badge?: number | Key;
  icon: LucideIcon;
}

const ofTwins = [
  "/create-twin",
  "/edit-twin",
  "/twin-settings",
  "/twin-quality",
  "/twin-voice",
  "/twin-corrections",
  "/twin-replies",
  "/twin-manner",
  "/twin-facts",
  "/twin-gaps",
  "/twin-access",
  "/twin-exam",
  "/twin-tools",
  "/onboarding",
];

const administration = [
  "/account",
  "/admin-dashboard",
  "/settings",
  "/org-admin",
  "/organization-audit",
  "/organization-data",
  "/model",
  "/platform-audit",
  "/platform-health",
];

export const sections: readonly Section[] = [
  { path: paths.dashboard, also: ["/"], label: "nav.dashboard", icon: House },
  {
    path: paths.twins,
    also: ofTwins,
    label: "nav.twins",
    badge: sideBadges.twins,
    icon: Users,
  },
  {
    path: paths.knowledge,
    also: ["/knowledge-base", "/train-ai"],
    label: "nav.knowledge",
    about: "nav.knowledge.about",
    icon: BookOpen,
  },
  {
    path: paths.integrations,
    also: ["/add-integration"],
    label: "nav.integrations",
    badge: "nav.integrations.badge",
    icon: Plug,
  },
  { path: paths.crm, also: ["/crm-integration"], label: "nav.crm", about: "nav.crm.about", icon: Database },
  {
    path: paths.conversations,
    also: [],
    label: "nav.conversations",
    about: "nav.conversations.about",
    badge: sideBadges.conversations,
    icon: MessageSquare,
  },
  { path: paths.analytics, also: [], label: "nav.analytics", about: "nav.analytics.about", icon: ChartColumn },
  { path: paths.admin, also: administration, label: "nav.settings", icon: Settings },
];

/** The five sections of the mobile bar: home, twins, conversations, analytics, admin. */
export const barSections: readonly Pick<Section, "path" | "also" | "label" | "icon">[] = [
  { path: paths.home, also: ["/dashboard"], label: "nav.home", icon: House },
  {
    path: paths.twins,
    also: ofTwins,
    label: "nav.twins.short",
    icon: Users,
  },
  { path: paths.conversations, also: [], label: "nav.conversations.short", icon: MessageSquare },
  { path: paths.analytics, also: [], label: "nav.analytics", icon: ChartColumn },
  { path: paths.admin, also: administration, label: "nav.settings", icon: Settings },
];

export function isCurrent(section: Pick<Section, "path" | "also">, path: string): boolean {
  return [section.path, ...section.also].some((at) => path === at || (at !== "/" && path.startsWith(`${at}/`)));
}
