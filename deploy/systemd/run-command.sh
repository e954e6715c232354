#!/bin/sh
# Runs one of the product's commands (server/commands) as the service's user and with its settings; as root:
# run-command.sh rotate-master-key [ARGUMENTS…]
set -eu
command=${1:?run-command.sh COMMAND [ARGUMENTS…]}
shift
set -a
. /etc/digital-twins/environment
NODE_ENV=production
DATA_DIR=/var/lib/digital-twins
set +a
credentials=$(mktemp -d /run/digital-twins.XXXXXX)
trap 'rm -rf "$credentials"' EXIT
chown digital-twins "$credentials"
for name in master-key database-url smtp-url; do
  install -o digital-twins -m 0400 "/etc/digital-twins/secrets/$name" "$credentials/$name"
done
# What backups are encrypted with and opened with, where there are such files.
for name in backup-passphrase backup-identity; do
  secret="/etc/digital-twins/secrets/$name"
  [ -s "$secret" ] || continue
  install -o digital-twins -m 0400 "$secret" "$credentials/$name"
  case $name in
    # A public key is used in its place.
    backup-passphrase) [ -n "${BACKUP_RECIPIENT:-}" ] || export BACKUP_PASSPHRASE_FILE="$credentials/backup-passphrase" ;;
    backup-identity) export BACKUP_IDENTITY_FILE="$credentials/backup-identity" ;;
  esac
done
export MASTER_KEY_FILE="$credentials/master-key" DATABASE_URL_FILE="$credentials/database-url" SMTP_URL_FILE="$credentials/smtp-url"
cd /opt/digital-twins
setpriv --reuid digital-twins --regid digital-twins --init-groups \
  node_modules/node/bin/node scripts/run.mjs node "server/commands/$command.ts" "$@"
