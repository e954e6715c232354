import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** A Python with requirements.txt installed. The product needs none: without it nothing here is tried. */
const python = process.env.VOICE_PYTHON;
const cwd = import.meta.dirname;

const title = (/** @type {string} */ what) =>
  python ? what : `${what} (skipped: VOICE_PYTHON names no Python for it)`;

test.skipIf(!python)(
  title("the script's own tests hold"),
  async () => {
    const given = ["-W", "ignore", "-m", "unittest", "discover", "tests"];
    const { stderr } = await promisify(execFile)(String(python), given, {
      cwd,
      env: { ...process.env, PYTHONPATH: cwd },
    });
    expect(stderr).toMatch(/^Ran [1-9]\d* tests in [\d.]+s\s+OK\s*$/m);
  },
  180_000,
);

test.skipIf(!python)(
  title("what is missing is said in a sentence, without a traceback"),
  async () => {
    const run = promisify(execFile)(String(python), ["train_voice.py", "--talks", "nowhere", "--base", "x"], { cwd });
    const { stderr, code } = await run.catch((error) => error);
    expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^Нет файла или папки: nowhere\n$/), code: 1 });
  },
  60_000,
);
