import { clsx } from "clsx";
import type { CSSProperties } from "react";
import { byName } from "./by-name.ts";

interface AvatarProps {
  name: string;
  photo?: string | null | undefined;
  size?: "sm" | "md" | "lg";
  /** The copper ring, which says that a person stands behind this twin. Off for people themselves. */
  echo?: boolean;
  /** Colour: patina for the twin, copper for its owner, an individual hue for each contact. */
  who?: "twin" | "owner" | "contact";
  className?: string;
}

const sizes = { sm: "size-8 text-sm", md: "size-10 text-base", lg: "size-14 text-xl" } as const;

const tones = {
  twin: "bg-primary-soft text-primary-text",
  owner: "bg-echo-soft text-echo-text",
  contact: "face",
} as const;

/** Hues far from copper (47) and patina (197), which mean the owner and the twin, and from red, which means a fault. */
const hues = [80, 110, 140, 228, 258, 345];

/** Decorative: the name is in the text beside it. */
export function Avatar({ name, photo, size = "md", echo = false, who = "twin", className }: AvatarProps) {
  const letter = [...name.trim()][0]?.toLocaleUpperCase("ru-RU") ?? "?";
  return (
    <span
      aria-hidden
      className={clsx("relative inline-flex shrink-0 rounded-full", sizes[size], echo && "me-1", className)}
    >
      {echo && <span className="absolute inset-0 translate-x-(--echo-offset) rounded-full border border-echo" />}
      <span
        className={clsx(
          "relative inline-flex size-full items-center justify-center overflow-hidden rounded-full font-semibold",
          tones[who],
        )}
        {...(who === "contact" ? { style: { "--hue": byName(name, hues) } as CSSProperties } : {})}
      >
        {photo ? <img src={photo} alt="" className="size-full object-cover" referrerPolicy="no-referrer" /> : letter}
      </span>
    </span>
  );
}
