import { Badge } from "#web/ui/badge.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";

const otherNames: Record<string, string> = { phone: "Звонки", chat: "Другой чат" };

const platformTitle = (platform: string): string => otherNames[platform] ?? platformName(platform);

export function PlatformBadge({ platform }: { platform: string }) {
  return (
    <Badge className="min-w-0 max-w-full shrink!">
      <PlatformIcon platform={platform} className="size-3.5! shrink-0" />
      <span className="truncate">{platformTitle(platform)}</span>
    </Badge>
  );
}
