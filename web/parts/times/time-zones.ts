/** Time zones that a form offers. */
const ZONES: [zone: string, name: string][] = [
  ["Europe/Kaliningrad", "Калининград, UTC+2"],
  ["Europe/Moscow", "Москва, UTC+3"],
  ["Europe/Samara", "Самара, UTC+4"],
  ["Asia/Yekaterinburg", "Екатеринбург, UTC+5"],
  ["Asia/Omsk", "Омск, UTC+6"],
  ["Asia/Krasnoyarsk", "Красноярск, UTC+7"],
  ["Asia/Irkutsk", "Иркутск, UTC+8"],
  ["Asia/Yakutsk", "Якутск, UTC+9"],
  ["Asia/Vladivostok", "Владивосток, UTC+10"],
  ["Asia/Magadan", "Магадан, UTC+11"],
  ["Asia/Kamchatka", "Камчатка, UTC+12"],
];

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zones of Russia, and those of the browser and of the stored hours. */
export function zoneChoices(...more: string[]): [zone: string, name: string][] {
  const known = new Set(ZONES.map(([zone]) => zone));
  const others = [...new Set(more)].filter((zone) => zone && !known.has(zone));
  return [...ZONES, ...others.map((zone): [string, string] => [zone, zone])];
}
