import { marketingClaims, pricingPlans } from "#web/display-values.ts";
import { PAGE_LANGUAGE } from "#web/i18n/language.ts";
import { LOCALE } from "#web/i18n/locale.ts";
import { LANDING_TITLE } from "./hero.tsx";

/** Placeholder for the installation's origin, which the server fills in. */
export const ORIGIN_PLACEHOLDER = "https://origin.invalid";

const SITE = "Цифровые двойники";
const TITLE = `${LANDING_TITLE} · ${SITE}`;
const DESCRIPTION = `Цифровой двойник учится на ваших документах и переписке и отвечает клиентам в вашей манере: в Telegram, WhatsApp и по почте. Запуск за ${marketingClaims.deploymentMinutes} минут.`;
const ADDRESS = `${ORIGIN_PLACEHOLDER}/landing`;
const PICTURE = { url: `${ORIGIN_PLACEHOLDER}/landing.png`, width: 1200, height: 630 };

const offers = pricingPlans
  .filter(({ action }) => action === "start")
  .map(({ name, price }) => ({
    "@type": "Offer",
    name,
    price: price.replace(/\D/g, "") || "0",
    priceCurrency: "RUB",
  }));

/** Ratings and reviews are left out, because those of the page are display values. */
const structuredData = {
  "@context": "https://schema.org",
  "@type": "SoftwareApplication",
  name: SITE,
  description: DESCRIPTION,
  url: ADDRESS,
  inLanguage: PAGE_LANGUAGE,
  applicationCategory: "BusinessApplication",
  operatingSystem: "Web",
  offers,
};

const properties = {
  "og:type": "website",
  "og:site_name": SITE,
  "og:locale": LOCALE.replace("-", "_"),
  "og:title": TITLE,
  "og:description": DESCRIPTION,
  "og:url": ADDRESS,
  "og:image": PICTURE.url,
  "og:image:width": PICTURE.width,
  "og:image:height": PICTURE.height,
  "og:image:alt": `${SITE}: карта семи ИИ-агентов вокруг двойника`,
};

const attribute = (value: string | number) => String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Meta tags and structured data that search engines and messengers read. */
export function landingHead(): string {
  return [
    `<title>${TITLE}</title>`,
    `<meta name="description" content="${attribute(DESCRIPTION)}" />`,
    '<meta name="robots" content="index, follow" />',
    `<link rel="canonical" href="${ADDRESS}" />`,
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="${property}" content="${attribute(content)}" />`,
    ),
    '<meta name="twitter:card" content="summary_large_image" />',
    // This script is data, so the content security policy does not apply to it.
    `<script type="application/ld+json">${JSON.stringify(structuredData).replaceAll("<", "\\u003c")}</script>`,
  ].join("\n    ");
}
