const SIGNS: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/**
 * Converts Slack's markup into the displayed text: `<@U1>` becomes a name, `<#C1|general>` a channel, `<https://…|here>` its label.
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
    .replace(/&(?:lt|gt|amp);/g, (sign) => SIGNS[sign]!);
}
