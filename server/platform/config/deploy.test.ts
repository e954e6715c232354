/**
 * Checks deploy/ against the product: known settings, created secrets, existing files. Other tools check the rest where they are installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { Environment } from "./environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const compose = read("deploy/compose.yaml");
const dockerfile = read("deploy/Dockerfile");
const unit = read("deploy/systemd/digital-twins.service");
const command = read("deploy/systemd/run-command.sh");
const sample = read("deploy/env.example");

const folder = mkdtempSync(join(tmpdir(), "dt-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = (text: string, expression: RegExp): string[] => [...text.matchAll(expression)].map((match) => match[1]!);
const service = (name: string) => new RegExp(`^ {2}${name}:(?: &\\w+)?\\n(?: {4}.*\\n|\\n)+`, "m").exec(compose)![0];
const environmentOf = (text: string) => /^ {4}environment:(?: &\w+)?\n((?: {6}.*\n)+)/m.exec(text)![1]!;
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe("the settings that deploy/ names exist", () => {
  const SOURCES: Record<string, string[]> = {
    "compose.yaml": all(environmentOf(service("web")) + environmentOf(service("worker")), /^ {6}([A-Z_]+):/gm),
    Dockerfile: all(/^ENV (.*)$/m.exec(dockerfile)![1]!, /([A-Z_]+)=/g),
    "digital-twins.service": all(all(unit, /^Environment=(.*)$/gm).join(" "), /([A-Z_]+)=/g),
    "run-command.sh": all(command, /\b([A-Z][A-Z_]{3,})[=:]/g),
    "env.example": all(sample, /^([A-Z_]+)=/gm),
  };
  /** The image's search path, and the name from which compose builds PUBLIC_URL. */
  const OTHERS = ["PATH", "SITE_HOST"];

  test.each(Object.entries(SOURCES))("%s", (_name, found) => {
    const settings = Object.keys(Environment.shape);
    const known = [...settings, ...settings.map((name) => `${name}_FILE`), ...OTHERS];
    expect(found.length).toBeGreaterThan(2);
    expect(found.filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** Runs make-secrets.sh and adds the secret that an administrator writes himself. */
function madeSecrets(): string {
  const secrets = mkdtempSync(join(folder, "secrets-"));
  const made = spawnSync("sh", [join(ROOT, "deploy/make-secrets.sh"), secrets, "localhost"], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  expect(made.stdout).toMatch(/smtp-url/);
  writeFileSync(join(secrets, "smtp-url"), "smtps://user:pass@smtp.example.ru\n");
  return secrets;
}

test("the sample and the made secrets are a production that the server starts with, and a second run changes no secret", () => {
  const secrets = madeSecrets();
  const lines = all(sample, /^([A-Z_]+=.*)$/gm).map((line) => line.split("=") as [string, string]);
  const given = Object.fromEntries(lines.map(([name, value]) => [name, value.replace(/^"|"$/g, "")]));
  const files = Object.fromEntries(
    all(environmentOf(service("web")), /^ {6}([A-Z_]+_FILE: .*)$/gm).map((line) => {
      const [name, path] = line.split(": ") as [string, string];
      return [name, path.replace("/run/secrets", secrets)];
    }),
  );
  const config = () => readConfig({ NODE_ENV: "production", ...given, ...files });
  expect(config()).toMatchObject({
    production: true,
    publicUrl: "https://twins.example.ru",
    mailFrom: "Цифровые двойники <no-reply@example.ru>",
    operator: { contact: "privacy@example.ru" },
    smtpUrl: "smtps://user:pass@smtp.example.ru",
    databaseUrl: expect.stringMatching(/^postgres:\/\/twins:[0-9a-f]{48}@localhost:5432\/twins$/),
  });
  const first = config();
  spawnSync("sh", [join(ROOT, "deploy/make-secrets.sh"), secrets]);
  expect(config()).toEqual(first);
});

test("each secret that a service is handed is one that is made, and is declared", () => {
  const made = [...all(read("deploy/make-secrets.sh"), /^keep ([a-z-]+) /gm), "smtp-url"].sort();
  const declared = /^secrets:\n([\s\S]*)$/m.exec(compose)![1]!;
  expect(sorted(all(declared, /^ {2}([a-z-]+): \{ file: \.\/secrets\/\1 \}$/gm))).toEqual(made);
  const used = all(compose, /^ {4}secrets: \[(.*)\]$/gm).flatMap((names) => names.split(", "));
  expect(sorted(used)).toEqual(made);
  expect(sorted(all(compose, /\/run\/secrets\/([a-z-]+)/g)).filter((name) => !made.includes(name))).toEqual([]);
  const loaded = all(unit, /^LoadCredential=([a-z-]+):\/etc\/digital-twins\/secrets\/\1$/gm);
  expect(sorted(loaded)).toEqual(sorted(all(unit, /%d\/([a-z-]+)/g)));
  expect(loaded.filter((name) => !made.includes(name))).toEqual([]);
  const ofDatabase = ["database-password", "postgres-password"];
  const settings = made
    .filter((name) => !ofDatabase.includes(name))
    .map((name) => name.toUpperCase().replaceAll("-", "_"));
  expect(settings.filter((name) => !(name in Environment.shape))).toEqual([]);
  expect(command).toContain(`${ofDatabase.join(" | ")}) continue`);
});

/** Replaces a system program that needs root or the service's user. */
function standIn(name: string, script: string): void {
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test("a command is handed each secret of a setting that there is, as files that end with it", () => {
  const [etc, run, code] = ["etc", "run", "code"].map((name) => join(folder, "command", name)) as [
    string,
    string,
    string,
  ];
  for (const path of [join(etc, "secrets"), run, code, join(folder, "bin")]) mkdirSync(path, { recursive: true });
  for (const name of ["master-key", "database-url", "smtp-url"]) writeFileSync(join(etc, "secrets", name), name);
  writeFileSync(join(etc, "environment"), 'MAIL_FROM="Имя <a@b.ru>"\n');
  standIn("chown", "exit 0");
  standIn("install", 'while [ $# -gt 2 ]; do shift; done; cp "$1" "$2"');
  standIn(
    "setpriv",
    'for name in $(env | sed -n "s/_FILE=.*//p"); do eval "echo $name: \\$(cat \\$"$name"_FILE)"; done',
  );
  const script = command
    .replaceAll("/etc/digital-twins", etc)
    .replaceAll("/run/digital-twins", `${run}/digital-twins`)
    .replaceAll("/opt/digital-twins", code);
  const handed = () => {
    const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    const ran = spawnSync("sh", ["-c", script, "run-command.sh", "backup", "one.age"], { env, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(readdirSync(run)).toEqual([]);
    return ran.stdout.trim().split("\n").sort();
  };
  const always = ["DATABASE_URL: database-url", "MASTER_KEY: master-key", "SMTP_URL: smtp-url"];
  expect(handed()).toEqual(always);
  writeFileSync(join(etc, "secrets", "backup-passphrase"), "a-long-phrase\n");
  expect(handed()).toEqual(["BACKUP_PASSPHRASE: a-long-phrase", ...always]);
  // PostgreSQL's own secrets, an editor's backup file and an empty secret are left out.
  for (const name of ["database-password", "postgres-password", "smtp-url~"])
    writeFileSync(join(etc, "secrets", name), name);
  writeFileSync(join(etc, "secrets", "llm-api-key"), "");
  writeFileSync(join(etc, "secrets", "storage-secret"), "of the bucket\n");
  expect(handed()).toEqual(["BACKUP_PASSPHRASE: a-long-phrase", ...always, "STORAGE_SECRET: of the bucket"].sort());
  writeFileSync(join(etc, "environment"), "STORAGE_SECRET=in-the-settings\n");
  expect(handed()).toEqual(["BACKUP_PASSPHRASE: a-long-phrase", ...always]);
  rmSync(join(etc, "secrets", "storage-secret"));
  // The server refuses both together, and make-secrets.sh always creates the passphrase.
  writeFileSync(join(etc, "environment"), "BACKUP_RECIPIENT=age1abc\n");
  expect(handed()).toEqual(always);
});

test("the containers are closed alike: read-only, without capabilities and new privileges; the image's user is not root", () => {
  for (const name of ["web", "postgres", "caddy"]) expect(service(name)).toContain("<<: *hardened");
  const hardened = compose.slice(0, compose.indexOf("services:"));
  for (const rule of ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"]) expect(hardened).toContain(rule);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
});

test("the worker is the web process in all but its role and its backups, also for systemd, where each has a file of its own", () => {
  expect(service("web")).toMatch(/^ {2}web: &app$/m);
  expect(environmentOf(service("web"))).toContain("ROLE: web\n");
  const worker = service("worker")
    .split("\n")
    .filter((line) => !/^ +#/.test(line));
  expect(worker.join("\n").trimEnd().split("\n")).toEqual([
    "  worker:",
    "    <<: *app",
    `    volumes: ["data:/data", "\${BACKUPS:-backups}:/backups"]`,
    "    environment:",
    "      <<: *settings",
    "      ROLE: worker",
    "      BACKUP_FOLDER: /backups",
    "      BACKUP_PASSPHRASE_FILE: /run/secrets/backup-passphrase",
    "    secrets: [master-key, database-url, smtp-url, backup-passphrase]",
  ]);
  // Read after the common settings, which it overrides; absent on an installation with one process.
  expect(unit).toMatch(/^EnvironmentFile=\S+\/environment\nEnvironmentFile=-\S+\/environment\.%i$/m);
});

test("the worker's backups lie where it may write, outlive it, and are opened by a secret that make-secrets.sh has made", () => {
  const secrets = madeSecrets();
  const settings = Object.fromEntries(
    all(environmentOf(service("web")) + environmentOf(service("worker")), /^ {6}([A-Z_]+: .*)$/gm).map((line) => {
      const at = line.indexOf(": ");
      const value = line.slice(at + 2).replaceAll(/^"|"$/g, "");
      return [
        line.slice(0, at),
        value.replace("/run/secrets", secrets).replace(/\$\{SITE_HOST.*\}/, "twins.example.ru"),
      ];
    }),
  );
  const { backup, role } = readConfig({ NODE_ENV: "production", ...settings });
  expect({ role, folder: backup.folder }).toEqual({ role: "worker", folder: "/backups" });
  expect(backup.passphrase).toMatch(/^[0-9a-f]{48}$/);
  // A new volume inherits the owner of the image's folder.
  expect(dockerfile).toMatch(/install -d -o twins -g twins -m 0700 .*\/backups/);
  expect(/^volumes:\n(?: {2}.*\n)+/m.exec(compose)![0]).toContain("  backups: {}\n");
});

test("the guide runs commands that the image has, in a service that has their folders, and none in one that it has stopped", () => {
  const guide = read("docs/deployment.md");
  const commands = all(guide, /(docker compose (?:exec|run)\b[^`\n]*)/g);
  expect(commands.length).toBeGreaterThan(3);
  for (const line of commands) {
    expect(line, "npm is not in the image").not.toMatch(/\bnpm\b/);
    const program = /\bnode scripts\/run\.mjs node (server\/commands\/[a-z-]+\.ts)/.exec(line)?.[1];
    if (program !== undefined) expect(existsSync(join(ROOT, program)), line).toBe(true);
    if (line.includes("/backups")) expect(line).toMatch(/ worker /);
    if (/restore\.ts/.test(line)) expect(line).toMatch(/compose run --rm /);
  }
  for (const name of ["backup.ts", "restore.ts", "rotate-master-key.ts"]) {
    expect(
      commands.some((line) => line.includes(name)),
      name,
    ).toBe(true);
  }
});

test("all files use one port, and Caddy gets every variable that its file uses", () => {
  expect(dockerfile).toContain(" PORT=3000 ");
  expect(unit).toContain(" PORT=3000 ");
  expect(read("deploy/nginx/digital-twins.conf")).toMatch(/^\s+server 127\.0\.0\.1:3000 max_fails=0;$/m);
  expect(service("caddy")).toMatch(/ UPSTREAM: \$\{UPSTREAM:-web:3000\}$/m);
  const asked = all(read("deploy/Caddyfile"), /\{\$([A-Z_]+)/g);
  expect(sorted(asked)).toEqual(sorted(all(environmentOf(service("caddy")), /^ {6}([A-Z_]+):/gm)));
});

test("what the image copies exists and is let through by .dockerignore; what the unit runs exists", () => {
  const copied = all(dockerfile, /^COPY (?!--from)(.*)$/gm).flatMap((line) => line.split(" ").slice(0, -1));
  const allowed = all(read(".dockerignore"), /^!(.*)$/gm);
  for (const path of copied) {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(allowed, path).toContain(path);
  }
  expect(sorted(copied)).toEqual(sorted(allowed));
  for (const path of all(`${unit}${dockerfile}${command}`, /\b(scripts\/[a-z-]+\.mjs)/g)) {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});

const has = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

test.skipIf(!has("systemd-analyze"))("systemd finds nothing wrong with the unit (where it is installed)", () => {
  const path = join(folder, "digital-twins.service");
  writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
  expect(verified.stderr.split("\n").filter((line) => line.includes("digital-twins"))).toEqual([]);
});
