#!/usr/bin/env bash
# Makes the certificates beside it: an authority, a server of 127.0.0.1 and a client. For tests alone, good for 100 years.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

new() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 "$@" 2>/dev/null; }
of_authority=(-CA authority.pem -CAkey authority-key.pem -addext basicConstraints=critical,CA:false)

new -subj '/CN=test authority' -keyout authority-key.pem -out authority.pem
new "${of_authority[@]}" -subj '/CN=temporal' -addext subjectAltName=IP:127.0.0.1,DNS:temporal.test -keyout server-key.pem -out server.pem
new "${of_authority[@]}" -subj '/CN=lockerflow' -keyout client-key.pem -out client.pem
rm authority-key.pem
