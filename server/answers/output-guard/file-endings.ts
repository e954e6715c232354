/** Endings of file names that are not top-level domains. */
export const FILE_ENDINGS: ReadonlySet<string> = new Set(
  "pdf doc docx xls xlsx csv ppt pptx odt ods odp rtf txt log jpg jpeg png gif webp heic svg bmp tiff mp3 mp4 ogg wav avi mkv webm rar tar gz html htm xml json yaml yml toml ini cfg js jsx tsx css scss sql exe dmg apk bat dll psd dwg epub fb2 eml ics vcf conf list deb rpm iso img bak tmp lst".split(
    " ",
  ),
);
