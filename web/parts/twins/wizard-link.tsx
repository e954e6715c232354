import { Link } from "wouter";
import { paths } from "#web/paths.ts";

/** A link to the wizard, shown in the text of an empty list as another way to create a first twin. */
export function WizardLink() {
  return (
    <Link href={paths.onboarding} className="font-medium text-primary-text underline underline-offset-4">
      Создать по шагам из&nbsp;переписки
    </Link>
  );
}
