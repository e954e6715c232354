import { useQuery } from "@tanstack/react-query";
import { correctionsApi } from "#contract/corrections.ts";
import { apiKeysApi } from "#contract/integrations/api-keys.ts";
import { openRepliesApi } from "#contract/knowledge/open-replies.ts";
import type { TwinExam } from "#contract/twin-exam.ts";
import type { Twin } from "#contract/twins.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";
import { useChatFacts } from "#web/parts/facts/queries.ts";
import { useGapCount } from "#web/parts/gaps/queries.ts";
import { acceptedText, changedText } from "#web/parts/twin-exam/exam-words.ts";
import { useTwinExam } from "#web/parts/twin-exam/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";

export interface RowState {
  /** The part's state in one line, or its purpose while the state is unknown. */
  text: string;
  /** Number of items there that wait for a decision, in words. */
  waiting?: string | undefined;
}

type RowName = "quality" | "facts" | "gaps" | "exam" | "corrections" | "expert";

const WAIT: Forms = ["ждёт", "ждут", "ждут"];
const waitingOf = (count: number | undefined) => (count ? plural(count, WAIT) : undefined);

/** The state of each part of a twin. Private parts are loaded only for its owner, keys only for members who may change the twin. */
export function useRowStates(twin: Twin): Record<RowName, RowState> {
  const { id } = twin;
  const own = useSession().user?.id === twin.ownerId;
  const mayChange = useReadOnly(twin) === null;
  const of = { params: { id } };
  const facts = useChatFacts(id, own).data?.counts;
  const gaps = useGapCount(id, own).data?.open;
  const exam = useTwinExam(id, own).data;
  const corrections = useQuery({ ...queryOf(correctionsApi.list, of), enabled: own }).data;
  const replies = useQuery({ ...queryOf(openRepliesApi.list, { ...of, query: {} }), enabled: own }).data;
  const keys = useQuery({ ...queryOf(apiKeysApi.list, of), enabled: mayChange }).data?.keys;
  return {
    quality: {
      text:
        twin.styleAccuracy === null
          ? "Измерим, когда хватит вашей переписки"
          : `Похож на вас на ${formatShare(twin.styleAccuracy)}`,
    },
    facts: {
      text:
        facts === undefined || facts.total === 0
          ? "Цены, часы и сроки, которые знает только переписка"
          : facts.left === 0
            ? `Разобраны все: ${formatNumber(facts.total)}`
            : `Проверено ${formatNumber(facts.total - facts.left)} из ${formatNumber(facts.total)}`,
      waiting: waitingOf(facts?.left),
    },
    gaps: {
      text: gaps === 0 ? "Вопросов без ответа нет" : "Ответьте один раз — узнают все, кто спрашивал",
      waiting: waitingOf(gaps),
    },
    exam: examState(exam),
    corrections: correctionsState(corrections),
    expert: {
      text: expertInWords(keys?.filter(({ state }) => state === "active").length),
      waiting: waitingOf(replies?.proposals.filter(({ clear }) => clear).length),
    },
  };
}

function examState(exam: TwinExam | undefined): RowState {
  if (exam === undefined) return { text: "Пять минут «да» и «нет» до первого ответа без вас" };
  const { current, last, changed } = exam;
  const left = current?.state === "marking" ? current.answers.filter(({ accepted }) => accepted === null).length : 0;
  const text =
    last === null
      ? "Не проводился: пять минут «да» и «нет» до первого ответа без вас"
      : (changedText(changed) ?? acceptedText(last.result));
  return { text, waiting: waitingOf(left) };
}

interface Learnt {
  corrections: readonly { active: boolean; case: { state: string } | null }[];
  waiting: readonly unknown[];
}

function correctionsState(data: Learnt | undefined): RowState {
  const active = data?.corrections?.filter((one) => one.active);
  if (active === undefined) return { text: "Чему вы научили двойника и каким он был" };
  const broken = active.filter((one) => one.case?.state === "broken").length;
  const learnt = active.length === 0 ? "Пока ничему не научен" : `Выучено: ${formatNumber(active.length)}`;
  return {
    text: broken > 0 ? `${learnt}, перестало держаться: ${formatNumber(broken)}` : learnt,
    waiting: waitingOf(data?.waiting?.length),
  };
}

function expertInWords(keys: number | undefined): string {
  return keys
    ? `${plural(keys, ["ключ действует", "ключа действуют", "ключей действуют"])}; здесь же MCP, вебхуки, расход и видимость ответов`
    : "Ключи API, MCP, вебхуки, расход и видимость ответов";
}
