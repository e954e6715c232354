import { MessageSquare } from "lucide-react";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";

/** Platforms that a dialogue may stand on, in the order of the filter. */
export const dialoguePlatforms = ["test", "telegram", "whatsapp", "email", "slack", "discord", "web", "api"] as const;

export const dialoguePlatformName = (platform: string) =>
  platform === "test" ? "Тестовый чат" : platformName(platform);

export function DialoguePlatform({ platform }: { platform: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      {platform === "test" ? (
        <MessageSquare aria-hidden className="icon" />
      ) : (
        <PlatformIcon platform={platform} className="icon" />
      )}
      <span className="truncate">{dialoguePlatformName(platform)}</span>
    </span>
  );
}
