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
# Each secret goes to the setting of its name, storage-secret to STORAGE_SECRET_FILE, unless the settings above say it themselves.
for secret in /etc/digital-twins/secrets/*; do
  name=${secret##*/}
  case $name in
    *[!a-z0-9-]*) continue ;;
    # The database has been made with them; the server does not read them.
    database-password | postgres-password) continue ;;
    # A public key is used in its place.
    backup-passphrase) [ -z "${BACKUP_RECIPIENT:-}" ] || continue ;;
  esac
  [ -s "$secret" ] || continue
  setting=$(printf %s "$name" | tr a-z- A-Z_)
  eval "[ -z \"\${$setting:-}\" ]" || continue
  install -o digital-twins -m 0400 "$secret" "$credentials/$name"
  export "${setting}_FILE=$credentials/$name"
done
cd /opt/digital-twins
setpriv --reuid digital-twins --regid digital-twins --init-groups \
  node_modules/node/bin/node scripts/run.mjs node "server/commands/$command.ts" "$@"
