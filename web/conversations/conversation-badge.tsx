import { useLanguage } from "#web/i18n/language.ts";
import { Badge } from "#web/ui/badge.tsx";

export function ConversationBadge({ isActive }: { isActive: boolean }) {
  const { t, language } = useLanguage();
  return (
    <Badge lang={language} tone={isActive ? "success" : "neutral"}>
      {t(isActive ? "status.active" : "status.closed")}
    </Badge>
  );
}
