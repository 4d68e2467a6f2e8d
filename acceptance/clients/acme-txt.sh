#!/usr/bin/env bash
# Adds and removes a TXT record as certificate scripts without a JSON parser do: they search for the zone from the longest
# name down, and cut identifiers and counts out of compact JSON. Needs BASE, TOKEN and DNS, as curl-dig.sh does.
set -uo pipefail
: "${BASE:?}" "${TOKEN:?}" "${DNS:?}"

zone=acme-txt.example.com
name=_acme-challenge.www.$zone
first=XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs
second=-LoNGer_tOKEN-that.begins-with-a-dash0123456
passed=0
failed=0
answer=''

rest() { # METHOD PATH [BODY]
  local body=()
  [ $# -lt 3 ] || body=(--data "$3")
  answer=$(curl --silent --max-time 10 --request "$1" --header 'Content-Type: application/json' \
    --header "Authorization: Bearer $TOKEN" "${body[@]}" "$BASE/$2")
}

contains() { printf '%s' "$answer" | grep -F -- "$1" > /dev/null; }

verdict() { # NAME; reports the exit status of the previous command
  if [ "$?" -eq 0 ]; then
    passed=$((passed + 1)); echo "ok    acme-txt: $1"
  else
    failed=$((failed + 1)); echo "FAIL  acme-txt: $1"; echo "      $answer"
  fi
}

# Prints the zone's id: if the reply has the name or exactly one zone, the first id after "[{".
find_zone() {
  local guess=$name
  while [ -n "$guess" ]; do
    rest GET "zones?name=$guess"
    if contains "\"name\":\"$guess\"" || contains '"total_count":1,'; then
      printf '%s' "$answer" | grep -o '\[.\"id\": *"[^"]*"' | head -n 1 | cut -d : -f 2 | tr -d '" '
      return
    fi
    case $guess in *.*) guess=${guess#*.} ;; *) guess='' ;; esac
  done
}

count() { printf '%s' "$answer" | grep -o '"count": *[^,]*' | cut -d : -f 2 | tr -d ' '; }
first_id() { printf '%s' "$answer" | grep -o '"id": *"[^"]*"' | cut -d : -f 2 | tr -d '" ' | head -n 1; }

texts() { dig @"${DNS%:*}" -p "${DNS##*:}" +norecurse +tries=2 +time=2 +short "$name" TXT | LC_ALL=C sort | tr '\n' ' '; }
serves() { # EXPECTED: the TXT strings, sorted, each followed by a space
  answer=$(texts)
  [ "$answer" = "$1" ]
}

add() { # TEXT
  rest POST "zones/$zone_id/dns_records" "{\"type\":\"TXT\",\"name\":\"$name\",\"content\":\"$1\",\"ttl\":120}"
  contains "$1"
}

remove() { # TEXT
  rest GET "zones/$zone_id/dns_records?type=TXT&name=$name&content=$1"
  contains '"success":true' && [ "$(count)" = 1 ] || return
  rest DELETE "zones/$zone_id/dns_records/$(first_id)"
  contains '"success":true'
}

rest POST zones "{\"name\":\"$zone\"}"
created=$(printf '%s' "$answer" | sed -n 's/.*"result":{"id":"\([0-9a-f]\{32\}\)".*/\1/p')
zone_id=$(find_zone)
[ -n "$zone_id" ] && [ "$zone_id" = "$created" ]
verdict 'find the zone from a name below it'
rest GET "zones/$zone_id"
[ "$(printf '%s' "$answer" | grep -o '"name": *"[^"]*"' | cut -d : -f 2 | tr -d '" ' | head -n 1)" = "$zone" ]
verdict "the first name in a zone's JSON is the zone's name"

rest GET "zones/$zone_id/dns_records?type=TXT&name=$name"
[ "$(count)" = 0 ]
verdict 'count is 0 without a record'
add "$first"
verdict 'add'
add "$second"
verdict 'add another record at the same name'
serves "\"$second\" \"$first\" "
verdict 'DNS answers both'
add "$first"
contains '"code":81058,' && contains 'identical record already exists'
verdict 'adding a duplicate returns the message that scripts search for'
remove "$first"
verdict 'remove one record by content'
serves "\"$second\" "
verdict 'DNS answers only the other record'
rest GET "zones/$zone_id/dns_records?type=TXT&name=$name&content=$first"
[ "$(count)" = 0 ]
verdict 'count is 0 for a removed record'
remove "$second"
verdict 'remove the last record'
serves ''
verdict 'DNS answers neither'

rest DELETE "zones/$zone_id"
contains '"success":true'
verdict 'delete the zone'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
