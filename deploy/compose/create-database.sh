#!/bin/sh
# Run once, by the image of PostgreSQL: the service is no superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/database-password)" -U postgres <<'SQL'
CREATE ROLE pix LOGIN PASSWORD :'password';
CREATE DATABASE pix OWNER pix;
SQL
