import { CopyButton } from "#web/ui/copy-button.tsx";
import { StepCard } from "./step-card.tsx";

const COMMANDS = [
  "pip install -r requirements.txt",
  "python train_voice.py --talks .. --base model.gguf --out voice.gguf",
];

export function TrainingStep({ baseName }: { baseName: string | null }) {
  return (
    <StepCard number={2} title="Обучите голос" description="На другом компьютере: здесь для этого не хватит мощности">
      <ul className="flex max-w-measure list-disc flex-col gap-1.5 ps-5">
        <li>
          Лучше с&nbsp;видеокартой от&nbsp;8&nbsp;ГБ: своей или в&nbsp;облаке вроде Google Colab. На&nbsp;ней это займёт
          десятки минут, а&nbsp;на&nbsp;обычном процессоре — часы, и&nbsp;только с&nbsp;небольшой моделью.
        </li>
        <li>
          Понадобится файл модели{baseName === null ? ", той же, что отвечает здесь" : ` ${baseName}`}, например тот же
          GGUF: в&nbsp;командах он назван model.gguf. Голос, обученный для&nbsp;другой модели, не&nbsp;подойдёт.
        </li>
        <li>
          Нужен Python 3.12 или новее. Распакуйте архив с&nbsp;данными и&nbsp;запустите команды в&nbsp;его папке
          train-voice.
        </li>
      </ul>
      <div className="flex flex-col gap-2">
        {COMMANDS.map((command) => (
          <div key={command} className="flex items-center gap-2 rounded-md bg-sunken py-1 ps-3 pe-1">
            <code className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere]">{command}</code>
            <CopyButton text={command} what={command} />
          </div>
        ))}
      </div>
      <p className="max-w-measure text-muted">
        Программа и&nbsp;подробная инструкция (<code className="font-mono text-sm">voice-training.md</code>) лежат
        в&nbsp;том&nbsp;же архиве, что и&nbsp;данные. Получится один файл{" "}
        <code className="font-mono text-sm">voice.gguf</code>.
      </p>
    </StepCard>
  );
}
