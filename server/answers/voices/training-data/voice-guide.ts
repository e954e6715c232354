import type { LineCounts } from "./training-lines.ts";

const WIDTH = 100;

export function voiceGuide(twin: string, { train, test }: Record<"train" | "test", LineCounts>): string {
  const number = (value: number) => value.toLocaleString("ru-RU");
  const leftOut = train.personal + test.personal;
  const repeated = train.repeated + test.repeated;
  return [
    `Данные для обучения почерка двойника «${twin}»`,
    "=".repeat(Math.min(WIDTH, 40 + twin.length)),
    "",
    "Внутри — ваши прошлые разговоры короткими кусками: что вам написали и что вы ответили.",
    "",
    `train.jsonl — на этом учится почерк: ${number(train.exchanges)} обменов репликами, строк ${number(train.lines)}.`,
    `test.jsonl — на этом проверяется, а учиться на этом нельзя: ${number(test.exchanges)} обменов, строк ${number(test.lines)}.`,
    "Это ваши последние разговоры: по ним платформа измеряет похожесть. Ни один разговор (перерыв больше",
    "шести часов его кончает) не попал в оба файла.",
    "",
    'Строка: {"messages": [{"role": "system" | "user" | "assistant", "content": "…"}, …]}',
    "Последняя реплика всегда ваша (assistant). Учиться нужно только на репликах assistant.",
    "",
    "Что убрано:",
    "- имена, телефоны, почта, адреса, номера, ссылки и ники в словах собеседников заменены на [имя],",
    "  [телефон], [почта], [адрес], [номер], [ссылка], [ник]; похожее на ключи и пароли — на [скрыто];",
    `- обмены, где такое было в вашем ответе или где шла речь о паролях и документах, не вошли: ${number(leftOut)};`,
    `- обмены, дословно повторявшие прежние, не вошли: ${number(repeated)}.`,
    "Это делает программа, и она может пропустить то, чего не знает. Просмотрите файлы, прежде чем отдавать их",
    "кому-нибудь: это ваша переписка.",
    "",
    "Что делать дальше: как обучить почерк, написано в voice-training.md, программа лежит в папке train-voice.",
    "Получится один файл voice.gguf; загрузите его на странице «Почерк двойника».",
    "",
  ].join("\r\n");
}
