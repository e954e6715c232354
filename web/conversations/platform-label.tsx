import { clsx } from "clsx";
import { MessageSquare } from "lucide-react";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { PlatformIcon, platformLabelOf } from "#web/ui/platform-icon.tsx";

/** Platforms that a customer may write on, in the order of the filter. */
export const filterPlatforms: readonly string[] = [...Object.keys(PLATFORM_NAMES), "api"];

interface PlatformLabelProps {
  platform: string;
  /** Whether only its picture is seen: others stand beside it. */
  narrow?: boolean;
}

export function PlatformLabel({ platform, narrow = false }: PlatformLabelProps) {
  const name = platformLabelOf(platform);
  return (
    <span className={clsx("inline-flex items-center gap-1.5", narrow ? "shrink-0" : "min-w-0")} title={name}>
      {platform === "test" ? (
        <MessageSquare aria-hidden className="icon" />
      ) : (
        <PlatformIcon platform={platform} className="icon" />
      )}
      <span className={clsx("truncate", narrow && "sr-only")}>{name}</span>
    </span>
  );
}
