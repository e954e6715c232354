import { clsx } from "clsx";
import { hasGlyph, PlatformIcon } from "./platform-icon.tsx";

/** Hues of the platforms' brand colours; platforms without one are neutral. They distinguish platforms and never express a state. */
const HUES: Record<string, number> = {
  telegram: 236,
  whatsapp: 152,
  slack: 338,
  discord: 274,
  max: 296,
  vk: 256,
  amocrm: 245,
  bitrix24: 222,
};

/** Systems without a glyph are shown by their first letters. */
const LETTERS: Record<string, string> = {
  amocrm: "amo",
  bitrix24: "24",
  salesforce: "S",
  hubspot: "H",
  pipedrive: "P",
  postgresql: "SQL",
};

const SIZES = { md: "size-10", lg: "size-11" } as const;

interface PlatformTileProps {
  platform: string;
  size?: keyof typeof SIZES;
  /** Whether nothing can be connected here, so that the tile has no colour. */
  muted?: boolean;
}

/** A platform's glyph on its brand colour. It is decorative: the name is in the text beside it. */
export function PlatformTile({ platform, size = "md", muted = false }: PlatformTileProps) {
  const hue = muted ? undefined : HUES[platform];
  const glyph = hasGlyph(platform);
  const own = platform === "web" || platform === "email";
  return (
    <span
      aria-hidden
      className={clsx(
        "grid shrink-0 place-items-center rounded-md font-medium text-sm",
        SIZES[size],
        hue === undefined && (own && !muted ? "bg-primary-soft text-primary-text" : "bg-hover text-muted"),
      )}
      style={
        hue === undefined
          ? undefined
          : {
              background: `oklch(var(--ag-l) .14 ${hue} / .13)`,
              // Letters are read, so they keep the contrast of text.
              ...(glyph && { color: `oklch(var(--ag-l) .14 ${hue})` }),
            }
      }
    >
      {glyph ? <PlatformIcon platform={platform} /> : (LETTERS[platform] ?? null)}
    </span>
  );
}
