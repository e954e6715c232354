import { Badge } from "#web/ui/badge.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";

const otherNames: Record<string, string> = { phone: "Телефон", chat: "Чат" };

export function PlatformBadge({ platform }: { platform: string }) {
  return (
    <Badge>
      <PlatformIcon platform={platform} className="size-3.5!" />
      {otherNames[platform] ?? platformName(platform)}
    </Badge>
  );
}
