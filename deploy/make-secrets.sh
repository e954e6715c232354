#!/bin/sh
# Makes the secrets that can be invented and leaves those alone that are there already: make-secrets.sh FOLDER [DATABASE_HOST]
# Only the folder's owner enters it; the files are open to whoever they are handed to (containers run as other users).
set -eu
umask 022
folder=${1:?make-secrets.sh FOLDER [DATABASE_HOST]}
host=${2:-postgres}
mkdir -p "$folder"
chmod 0700 "$folder"

keep() {
  [ -s "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
}

keep master-key "$(openssl rand -base64 32)"
keep backup-passphrase "$(openssl rand -hex 24)"
keep database-password "$(openssl rand -hex 24)"
keep postgres-password "$(openssl rand -hex 24)"
keep database-url "postgres://twins:$(cat "$folder/database-password")@$host:5432/twins"

if [ -s "$folder/smtp-url" ]; then
  echo "Секреты лежат в $folder. Сохраните master-key и backup-passphrase отдельно от сервера и от копий: без них копии не открыть."
else
  echo "Секреты лежат в $folder. Осталось записать в $folder/smtp-url адрес почтового сервера: smtps://имя:пароль@smtp.example.ru"
fi
