import { MessageSquare } from "lucide-react";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { PlatformIcon, platformLabelOf } from "#web/ui/platform-icon.tsx";

/** Platforms that a contact may write on, in the order of the filter. */
export const filterPlatforms: readonly string[] = [...Object.keys(PLATFORM_NAMES), "api"];

interface PlatformLabelProps {
  platform: string;
}

export function PlatformLabel({ platform }: PlatformLabelProps) {
  const name = platformLabelOf(platform);
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5" title={name}>
      {platform === "test" ? (
        <MessageSquare aria-hidden className="icon" />
      ) : (
        <PlatformIcon platform={platform} className="icon" />
      )}
      <span className="truncate">{name}</span>
    </span>
  );
}
