import type { Twin } from "#contract/twins.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { Badge } from "#web/ui/badge.tsx";

export function ActivityBadge({ isActive }: Pick<Twin, "isActive">) {
  const { t, language } = useLanguage();
  return (
    <Badge lang={language} tone={isActive ? "success" : "neutral"}>
      {t(isActive ? "status.active" : "status.inactive")}
    </Badge>
  );
}

export function TrainingBadge({ status }: Pick<Twin, "status">) {
  const { t, language } = useLanguage();
  return (
    <Badge lang={language} tone={status === "ready" ? "primary" : "warning"}>
      {t(status === "ready" ? "status.ready" : "status.training")}
    </Badge>
  );
}
