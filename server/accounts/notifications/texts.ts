/**
 * Texts for a locked screen and for letters: how many answers wait and where. They contain no contact's name and no words of a
 * conversation.
 */
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import type { ChannelPlatform } from "#contract/platforms.ts";
import { pluralForm } from "#server/platform/text/plural.ts";
import type { PushMessage } from "./web-push/push-service.ts";

/** Returns, for example, «Ждёт одобрения 1 ответ». */
const answers = (count: number): string =>
  `${pluralForm(count, ["Ждёт", "Ждут", "Ждут"])} одобрения ${count.toLocaleString("ru-RU")} ${pluralForm(count, ["ответ", "ответа", "ответов"])}`;

export const draftsMessage = (count: number): PushMessage => ({
  title: answers(count),
  body: "Двойник подготовил текст, решение за вами.",
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
