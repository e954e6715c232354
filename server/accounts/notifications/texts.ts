/**
 * Texts for a locked screen and for letters: how many answers and acts wait, and where. They contain no contact's name and no words of a
 * conversation.
 */
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import type { ChannelPlatform } from "#contract/platforms.ts";
import { pluralForm } from "#server/platform/text/plural.ts";
import type { PushMessage } from "./web-push/push-service.ts";

const counted = (count: number, forms: [string, string, string]): string =>
  `${count.toLocaleString("ru-RU")} ${pluralForm(count, forms)}`;

/** «Ждёт одобрения 1 ответ», «Ждут решения 2 действия», «Ждут решения: 3 ответа и 1 действие». */
function titleOf({ answers, acts }: { answers: number; acts: number }): string {
  const said = [counted(answers, ["ответ", "ответа", "ответов"]), counted(acts, ["действие", "действия", "действий"])];
  const waits = pluralForm(answers + acts, ["Ждёт", "Ждут", "Ждут"]);
  if (acts === 0) return `${waits} одобрения ${said[0]}`;
  return answers === 0 ? `${waits} решения ${said[1]}` : `Ждут решения: ${said.join(" и ")}`;
}

export const decisionsMessage = (waiting: { answers: number; acts: number }): PushMessage => ({
  title: titleOf(waiting),
  body: waiting.answers === 0 ? "Без вас двойник этого не сделает." : "Двойник подготовил текст, решение за вами.",
  url: "/conversations?tab=approval",
  tag: "drafts",
});

interface StoppedChannel {
  id: string;
  platform: ChannelPlatform;
  account: string | null;
  reason: string | null;
}

export const troubleMessage = ({ id, platform, account, reason }: StoppedChannel): PushMessage => ({
  title: `Канал остановился: ${PLATFORM_NAMES[platform]}${account === null ? "" : ` ${account}`}`,
  body: reason ?? "Нужны ваши действия.",
  url: `/integrations/${id}`,
  // Push services limit a topic to 32 characters.
  tag: id.replaceAll("-", ""),
});

export const TRY_MESSAGE: PushMessage = {
  title: "Уведомления работают",
  body: "Так вы узнаете, что ответ ждёт вашего одобрения.",
  url: "/account#notifications",
  tag: "try",
};
