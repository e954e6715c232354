/** Saves a response as a download with the file name that the server gives. */
export async function saveFile(response: Response, otherwise: string): Promise<void> {
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveBlob(await response.blob(), name ?? otherwise);
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser keeps the data once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
