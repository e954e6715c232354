import { nameToEmoji } from "gemoji";

const SIGNS: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/**
 * Converts Slack's markup into the displayed text: `<@U1>` becomes a name, `<#C1|general>` a channel, `<https://…|here>` its label, `:+1:` an
 * emoji; a workspace's own emoji keep their names.
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function slackText(text: string, people: ReadonlyMap<string, string>): string {
  return text
    .replace(
      /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g,
      (_whole, sign: string, target: string, label: string | undefined) => {
        if (sign === "@") return `@${people.get(target) ?? label ?? target}`;
        if (sign === "#") return `#${label || target}`;
        if (sign === "!") return label ?? `@${target.replace(/^subteam\^.*/, "группа")}`;
        const address = target.replace(/^mailto:/, "");
        return label && label !== address ? `${label} (${address})` : address;
      },
    )
    .replace(EMOJI, (whole, name: string, tone: string | undefined) => emojiOf(name, tone) ?? whole)
    .replace(/&(?:lt|gt|amp);/g, (sign) => SIGNS[sign]!);
}

const EMOJI = /:([a-z0-9_+-]{1,60}):(?::skin-tone-([2-6]):)?/g;
/** Slack's oldest name that the common list does not have. */
const SIMPLE_SMILE = "slightly_smiling_face";

function emojiOf(name: string, tone: string | undefined): string | undefined {
  const emoji = nameToEmoji[name === "simple_smile" ? SIMPLE_SMILE : name];
  // The modifiers U+1F3FB to U+1F3FF follow the emoji that they colour (UTS #51, 2.4).
  return emoji === undefined || tone === undefined ? emoji : `${emoji}${String.fromCodePoint(0x1f3f9 + Number(tone))}`;
}
