import { expect, test } from "vitest";
import { chosenFolder, droppedFiles } from "./dropped-files.ts";

interface Folder {
  [name: string]: string | Folder;
}

/** A folder entry as browsers provide it: children in parts, then an empty part. */
function entryOf(name: string, content: string | Folder, at = ""): FileSystemEntry {
  const fullPath = `${at}/${name}`;
  if (typeof content === "string") {
    const file = (done: (file: File) => void) => done(new File([content], name, { lastModified: 7 }));
    return { isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry;
  }
  const inside = Object.entries(content).map(([each, what]) => entryOf(each, what, fullPath));
  const createReader = () => {
    const parts = [inside.slice(0, 1), inside.slice(1), []];
    return { readEntries: (done: (part: FileSystemEntry[]) => void) => done(parts.shift()!) };
  };
  return { isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry;
}

const dropped = (things: Folder) => {
  const items = Object.entries(things).map(([name, content]) => ({
    kind: "file",
    webkitGetAsEntry: () => entryOf(name, content),
    getAsFile: () => new File([typeof content === "string" ? content : ""], name),
  }));
  return { items } as unknown as DataTransfer;
};

test("a dropped folder yields its readable files in folder order, together with single dropped files", async () => {
  const html = { "messages.html": "один", "messages2.html": "два", photos: { "1.jpg": "фото" } };
  const files = await droppedFiles(
    dropped({ "фото.jpg": "само", chats: { chat_10: { "messages.html": "десять" }, chat_2: html, ".DS_Store": "" } }),
    [".html", ".json"],
  );
  expect(await Promise.all(files.map(async (file) => [file.name, await file.text()]))).toEqual([
    ["chats · chat_2 · messages.html", "один"],
    ["chats · chat_2 · messages2.html", "два"],
    ["chats · chat_10 · messages.html", "десять"],
    ["фото.jpg", "само"],
  ]);
  // The modification time must survive renaming, because it identifies the file when an upload resumes.
  expect(files[0]!.lastModified).toBe(7);
});

test("a folder chosen in a dialog yields the same files", () => {
  const inFolder = (path: string) => {
    const file = new File(["-"], path.split("/").at(-1)!);
    return Object.defineProperty(file, "webkitRelativePath", { value: path });
  };
  const files = chosenFolder(
    [inFolder("п/2/a.eml"), inFolder("п/1/a.eml"), inFolder("п/b.EML"), inFolder("п/c.png")],
    [".eml"],
  );
  expect(files.map(({ name }) => name)).toEqual(["п · 1 · a.eml", "п · 2 · a.eml", "п · b.EML"]);
});
