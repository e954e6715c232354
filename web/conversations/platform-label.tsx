import { MessageSquare } from "lucide-react";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";

/** Platforms that a conversation may stand on, in the order of the filter. */
export const filterPlatforms: readonly string[] = ["test", ...Object.keys(PLATFORM_NAMES), "api"];

export const platformLabelOf = (platform: string) => (platform === "test" ? "Тестовый чат" : platformName(platform));

export function PlatformLabel({ platform }: { platform: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      {platform === "test" ? (
        <MessageSquare aria-hidden className="icon" />
      ) : (
        <PlatformIcon platform={platform} className="icon" />
      )}
      <span className="truncate">{platformLabelOf(platform)}</span>
    </span>
  );
}
