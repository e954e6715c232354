#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is empty: the platform's role owns its database and is no superuser.
set -eu
password=$(cat /run/secrets/database-password)
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
CREATE ROLE twins LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE twins OWNER twins;
SQL
