import { clsx } from "clsx";
import type { ReactNode } from "react";
import { PLATFORM_NAMES, SOURCE_NAMES } from "#contract/integrations/platform-names.ts";
import type { ContactPlatform } from "#contract/platforms.ts";

// Drawn for this product on a 24 px grid with the stroke width of the other icons.
const glyphs: Record<ContactPlatform, ReactNode> = {
  telegram: (
    <path d="M20.5 4.2 3.4 10.9c-.6.3-.6 1.1 0 1.3l4.3 1.5 1.7 5.2c.2.6.9.7 1.3.3l2.4-2.3 4.2 3.1c.5.3 1.1.1 1.3-.5l2.9-14.4c.1-.6-.4-1.1-1-.9ZM7.9 13.6l9-5.9-6.5 7.5" />
  ),
  whatsapp: (
    <>
      <path d="m3.5 20.5 1.2-4.4a8.6 8.6 0 1 1 3.3 3.2Z" />
      <path d="M9.1 8.3c-.9 1-.7 2.4.9 4.2 1.7 1.9 3.5 2.6 4.8 2 .7-.4 1-1 .9-1.5l-1.8-.9-1 1c-1-.4-2-1.4-2.5-2.4l.9-1-.8-1.8c-.5-.2-1 0-1.4.4Z" />
    </>
  ),
  email: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="2.5" />
      <path d="m3.8 7.4 7 5.2a2 2 0 0 0 2.4 0l7-5.2" />
    </>
  ),
  slack: (
    <>
      <path d="M10 3.5v6.2M14 14.3v6.2" />
      <path d="M14 3.5v6.2M10 14.3v6.2" opacity=".55" />
      <path d="M3.5 14h6.2M14.3 10h6.2" />
      <path d="M3.5 10h6.2M14.3 14h6.2" opacity=".55" />
    </>
  ),
  discord: (
    <>
      <path d="M8.4 5.2c-1.6.3-3 .9-3.6 1.3-1.5 2.6-2.3 5.7-2.2 9 1.4 1.4 3 2.2 4.9 2.7l1-1.9M15.6 5.2c1.6.3 3 .9 3.6 1.3 1.5 2.6 2.3 5.7 2.2 9-1.4 1.4-3 2.2-4.9 2.7l-1-1.9" />
      <path d="M8.4 5.2 9 6.6a14 14 0 0 1 6 0l.6-1.4M6.8 15.4a11 11 0 0 0 10.4 0" />
      <path d="M9 11.4v.6M15 11.4v.6" strokeWidth="2.6" />
    </>
  ),
  max: (
    <>
      <path d="M12 3.5a8.5 8.5 0 1 1-3.9 16.05c-.9.9-2.3 1.2-3.6.75.6-1 .8-2 .5-3.3A8.5 8.5 0 0 1 12 3.5Z" />
      <circle cx="12" cy="12" r="3.6" />
    </>
  ),
  vk: (
    <>
      <rect x="3" y="4" width="18" height="16" rx="4.5" />
      <path d="M7 9c.2 3.6 2 6 5 6V9m0 3.2c2.4 0 4.2-1.2 4.8-3.2M12 12.2c2.5.2 4.3 1.2 5 2.8" />
    </>
  ),
  web: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c2.4 2.3 3.6 5.2 3.6 8.5s-1.2 6.2-3.6 8.5c-2.4-2.3-3.6-5.2-3.6-8.5s1.2-6.2 3.6-8.5Z" />
    </>
  ),
  api: <path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14" />,
};

const names: Record<string, string> = { ...PLATFORM_NAMES, ...SOURCE_NAMES, api: "API" };

/** Returns the platform's display name; an unknown platform keeps its id. */
export function platformName(platform: string): string {
  return names[platform] ?? platform;
}

/** Returns where a conversation takes place: on a platform, or in a test chat of the owner. */
export const platformLabelOf = (platform: string) => (platform === "test" ? "Тестовый чат" : platformName(platform));

export const hasGlyph = (platform: string): boolean => Object.hasOwn(glyphs, platform);

/** Decorative: the platform's name is in the text beside it. A platform without a glyph gets no icon. */
export function PlatformIcon({ platform, className }: { platform: string; className?: string }) {
  const glyph = glyphs[platform as ContactPlatform];
  if (!glyph) return null;
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={clsx("icon", className)}
    >
      {glyph}
    </svg>
  );
}
