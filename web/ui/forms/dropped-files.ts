/** A file with the folders that it was found in: «Letters/2024/1.eml». */
interface FoundFile {
  path: string;
  file: File;
}

const byPath = new Intl.Collator("en", { numeric: true });

/**
 * What was dropped, loose files as they are, and of folders whatever lies in them with one of the endings (all when there are
 * none). Call it while the event is being handled: what was dropped is gone afterwards.
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
  // A reader gives a part of the folder at a time, at the end an empty one.
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

/** In the order of their folders; where names repeat, as each chat's messages.html, all are called by their folders too. */
function namedApart(found: FoundFile[]): File[] {
  const repeated = new Set(found.map(({ file }) => file.name)).size < found.length;
  return found
    .toSorted((left, right) => byPath.compare(left.path, right.path))
    .map(({ path, file }) => {
      if (!repeated || !path.includes("/")) return file;
      return new File([file], path.replaceAll("/", " · "), { type: file.type, lastModified: file.lastModified });
    });
}
