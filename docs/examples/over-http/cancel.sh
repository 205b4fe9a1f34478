#!/bin/sh
# A shipment is booked over HTTP, and cancelled: with curl alone, against `npm start`.
set -eu
service=${LOCKER_API_URL:-http://127.0.0.1:${SERVICE_PORT:-8080}}
api=${CONSOLE_URL:-http://127.0.0.1:${CONSOLE_PORT:-8088}}
client=${API_CLIENT_ID:-demo-flows}:${API_CLIENT_SECRET:-demo-flows-secret}
key=example-$$-$(date +%s)

token=$(curl -sf -u "$client" -d grant_type=client_credentials "$service/connect/token" |
  sed 's/.*"access_token":"\([^"]*\)".*/\1/')
call() { curl -s -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }

start='{ "flow": "Issue", "key": "'$key'", "request": { "pupUid": "pup-central", "toUserUid": "user-anna",
  "dimension": { "width": 20, "height": 5, "length": 30 }, "allowLargerLockers": true, "allowOverflowLockers": true } }'
call "$api/v1/processes" -H 'Prefer: wait=1' -d "$start"
echo
call "$api/v1/processes/$key/commands/cancel" -H "Idempotency-Key: cancel-$key" -d '{ "why": "the order was withdrawn" }'
echo
# The same key and input again: the process, now waited for to its end.
call "$api/v1/processes" -H 'Prefer: wait=30' -d "$start"
echo
