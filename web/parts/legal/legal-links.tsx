import { paths } from "#web/paths.ts";

/** Links that open in a new tab, so that the form keeps its input. */
export function LegalLinks({ className = "" }: { className?: string }) {
  const look = "max-md:py-3 text-primary-text underline underline-offset-4";
  return (
    <div className={`flex flex-wrap gap-x-4 gap-y-1 text-sm ${className}`}>
      <a href={paths.privacy} target="_blank" rel="noreferrer" className={look}>
        Политика обработки персональных данных
      </a>
      <a href={paths.terms} target="_blank" rel="noreferrer" className={look}>
        Условия использования
      </a>
    </div>
  );
}
