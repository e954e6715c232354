/** A file with its path inside the dropped folder: «Letters/2024/1.eml». */
interface FoundFile {
  path: string;
  file: File;
}

const byPath = new Intl.Collator("en", { numeric: true });

/**
 * Returns dropped files: loose ones all, those in folders only with one of the endings (all when there are none). It must be called
 * while the event is being handled, because the browser clears the dropped data afterwards.
 */
export async function droppedFiles(transfer: DataTransfer, endings: readonly string[]): Promise<File[]> {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: FoundFile[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) await collect(entry as FileSystemDirectoryEntry, endings, found);
    else if (file !== null) found.push({ path: file.name, file });
  }
  return namedApart(found);
}

/** Does the same for a folder that was chosen instead of dropped. */
export function chosenFolder(files: Iterable<File>, endings: readonly string[]): File[] {
  const wanted = [...files].filter(({ name }) => endsAs(name, endings));
  return namedApart(wanted.map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

async function collect(folder: FileSystemDirectoryEntry, endings: readonly string[], found: FoundFile[]) {
  const reader = folder.createReader();
  // A reader returns a part of the folder at a time, and an empty list at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await collect(entry as FileSystemDirectoryEntry, endings, found);
      else if (endsAs(entry.name, endings)) {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        found.push({ path: entry.fullPath.replace(/^\//, ""), file });
      }
    }
  }
}

const endsAs = (name: string, endings: readonly string[]): boolean =>
  !name.startsWith(".") && (endings.length === 0 || endings.some((ending) => name.toLowerCase().endsWith(ending)));

/** Returns files in the order of their folders. Repeated names, such as each chat's messages.html, get their folder's name too. */
function namedApart(found: FoundFile[]): File[] {
  const repeated = new Set(found.map(({ file }) => file.name)).size < found.length;
  return found
    .toSorted((left, right) => byPath.compare(left.path, right.path))
    .map(({ path, file }) => {
      if (!repeated || !path.includes("/")) return file;
      return new File([file], path.replaceAll("/", " · "), { type: file.type, lastModified: file.lastModified });
    });
}
