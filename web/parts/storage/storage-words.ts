import { type OrganizationStorage, STORAGE_WARNING_SHARE } from "#contract/organizations/storage.ts";
import { formatSize } from "#web/i18n/size.ts";

type Space = Pick<OrganizationStorage, "usedBytes" | "limitBytes" | "disk">;

interface StorageWarning {
  full: boolean;
  words: string;
}

const MAKE_ROOM = "Удалите ненужные документы или отмените импорты, которые ждут.";

/** Returns what a user should know before an upload is rejected; null while there is enough space. */
export function storageWarning({ usedBytes, limitBytes, disk }: Space): StorageWarning | null {
  const used = `занято ${formatSize(usedBytes)} из ${formatSize(limitBytes)}`;
  if (disk === "full") {
    return { full: true, words: "На сервере почти не осталось места: загрузки приостановлены. Повторите позже." };
  }
  if (usedBytes >= limitBytes) return { full: true, words: `Место организации закончилось: ${used}. ${MAKE_ROOM}` };
  if (usedBytes >= limitBytes * STORAGE_WARNING_SHARE) {
    return { full: false, words: `Место организации заканчивается: ${used}. ${MAKE_ROOM}` };
  }
  if (disk === "low") {
    return { full: false, words: "На сервере заканчивается место: большой файл может не поместиться." };
  }
  return null;
}
