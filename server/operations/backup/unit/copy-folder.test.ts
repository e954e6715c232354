/** Files that keep changing while they are copied, and stored files that are linked instead. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { FolderCopy } from "../copy-folder.ts";
import { dropLinks, filesUnder, linkUploads } from "../linked-uploads.ts";

let [from, to] = ["", ""];
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "dt-copy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  [from, to] = [join(folder, "from"), join(folder, "to")];
  await mkdir(join(from, "base"), { recursive: true });
});

test("each pass copies what has changed since the one before, and drops what is gone", async () => {
  const write = async (name: string, text: string, ageSeconds: number) => {
    await writeFile(join(from, name), text);
    const at = Date.now() / 1000 - ageSeconds;
    await utimes(join(from, name), at, at);
  };
  await write("old", "12345", 60);
  await write("base/gone", "123", 60);
  await write("base/fresh", "1234567", 0);
  const copy = new FolderCopy(from, to);
  expect(await copy.update()).toBe(15);
  expect(await readFile(join(to, "base/fresh"), "utf8")).toBe("1234567");
  await rm(join(from, "base/gone"));
  await write("base/new", "1", 60);
  // A file that was changed just now may have changed again without a new time.
  expect(await copy.update()).toBe(8);
  expect((await readdir(to, { recursive: true })).sort()).toEqual(["base", "base/fresh", "base/new", "old"]);
  await write("old", "54321", 30);
  expect(await copy.update()).toBe(12);
  expect(await readFile(join(to, "old"), "utf8")).toBe("54321");
});

test("links are made to the server's own files alone, and those of the second time add what is new", async () => {
  const data = join(from, "data");
  await linkUploads(data, to);
  expect(await filesUnder(to)).toEqual([]);
  await mkdir(join(data, "uploads", "folder"), { recursive: true });
  for (const name of ["one", "folder/two", ".hidden", "folder/not plain"])
    await writeFile(join(data, "uploads", name), name);
  await symlink("/etc/passwd", join(data, "uploads", "link"));
  await linkUploads(data, to);
  expect(await filesUnder(to)).toEqual(["folder/two", "one"]);
  await writeFile(join(data, "uploads", "three"), "");
  await rm(join(data, "uploads", "one"));
  await linkUploads(data, to);
  expect(await filesUnder(to)).toEqual(["folder/two", "one", "three"]);
  expect(await readFile(join(to, "one"), "utf8")).toBe("one");
  await dropLinks(to);
  expect(await readdir(join(to, "..")).then((names) => names.includes("to"))).toBe(false);
  await writeFile(join(from, "file"), "");
  await expect(linkUploads(join(from, "file"), to)).rejects.toMatchObject({ code: "ENOTDIR" });
});
