#!/usr/bin/env bash
# Creates, lists, gets, edits, overwrites and deletes each record type with only curl and dig, and checks the error codes
# of bad input. Needs BASE (http://127.0.0.1:8080/client/v4), TOKEN and DNS (127.0.0.1:5353).
set -uo pipefail
: "${BASE:?}" "${TOKEN:?}" "${DNS:?}"

zone=curl.example.com
passed=0
failed=0
answer='' # the last reply: body, then the status on its own line

call() { # METHOD PATH [BODY]
  local body=()
  [ $# -lt 3 ] || body=(--header 'Content-Type: application/json' --data-binary "$3")
  answer=$(curl --silent --max-time 10 --write-out '\n%{http_code}' --request "$1" \
    --header "Authorization: Bearer $TOKEN" "${body[@]}" "$BASE$2")
}

verdict() { # NAME OK? DETAIL
  if [ "$2" = yes ]; then
    passed=$((passed + 1)); echo "ok    curl: $1"
  else
    failed=$((failed + 1)); echo "FAIL  curl: $1"; echo "      $3"
  fi
}

has() { case "$answer" in *"$1"*) echo yes ;; *) echo no ;; esac; }
succeeds() { verdict "$1" "$(has '"success":true')" "$answer"; }
result_id() { printf '%s' "$answer" | sed -n 's/.*"result":{"id":"\([0-9a-f]\{32\}\)".*/\1/p'; }

ask() { dig @"${DNS%:*}" -p "${DNS##*:}" +norecurse +tries=2 +time=2 "$@"; }

resolves() { # NAME TYPE EXPECTED: dig's output for the type, in the answer section or (for a referral) the authority section
  local found='' try
  for try in 1 2 3 4 5; do
    found=$(ask +noall +answer +authority "$1" "$2" | awk -v type="$2" '$4 == type { $1 = $2 = $3 = $4 = ""; sub(/^ +/, ""); print }')
    [ "$found" != "$3" ] || break
    sleep 0.02
  done
  if [ "$found" = "$3" ]; then verdict "dig $1 $2 prints ${3:-nothing}" yes ''
  else verdict "dig $1 $2 prints ${3:-nothing}" no "but it printed: $found"; fi
}

refuses() { # NAME STATUS CODE METHOD PATH [BODY]
  local name=$1 status=$2 code=$3
  shift 3
  call "$@"
  if [ "${answer##*$'\n'}" = "$status" ] && [ "$(has "\"code\":$code,")" = yes ] && [ "$(has '"success":false')" = yes ]
  then verdict "$name is refused: $status, code $code" yes ''
  else verdict "$name is refused: $status, code $code" no "$answer"; fi
}

call POST /zones "{\"name\":\"$zone\"}"
succeeds 'create the zone'
zone_id=$(result_id)
records=/zones/$zone_id/dns_records
call GET "/zones?name=$zone"
verdict 'find the zone by name' "$(has "\"id\":\"$zone_id\"")" "$answer"

lifecycle() { # TYPE NAME CREATE PATCH PUT, then dig's output after each of the three
  local type=$1 name=$2.$zone id
  call POST "$records" "{\"type\":\"$type\",\"name\":\"$name\",\"ttl\":300,$3}"
  succeeds "create $type"
  id=$(result_id)
  resolves "$name" "$type" "$6"
  call GET "$records?type=$type&name=$name"
  verdict "list $type" "$(has "\"id\":\"$id\"")" "$answer"
  call GET "$records/$id"
  verdict "get $type" "$(has "\"name\":\"$name\"")" "$answer"
  call PATCH "$records/$id" "{$4}"
  succeeds "edit $type"
  resolves "$name" "$type" "$7"
  call PUT "$records/$id" "{\"type\":\"$type\",\"name\":\"$name\",\"ttl\":600,$5}"
  succeeds "overwrite $type"
  resolves "$name" "$type" "$8"
  call DELETE "$records/$id"
  succeeds "delete $type"
  resolves "$name" "$type" ''
}

lifecycle A a '"content":"192.0.2.1"' '"content":"192.0.2.2"' '"content":"192.0.2.3"' 192.0.2.1 192.0.2.2 192.0.2.3
lifecycle AAAA aaaa '"content":"2001:db8::1"' '"content":"2001:db8::2"' '"content":"2001:db8::3"' \
  2001:db8::1 2001:db8::2 2001:db8::3
lifecycle CNAME cname '"content":"one.example.net"' '"content":"two.example.net"' '"content":"three.example.net"' \
  one.example.net. two.example.net. three.example.net.
lifecycle MX mx '"content":"m1.example.net","priority":10' '"priority":20' '"content":"m3.example.net","priority":30' \
  '10 m1.example.net.' '20 m1.example.net.' '30 m3.example.net.'
lifecycle TXT txt '"content":"\"one\""' '"content":"two words"' '"content":"three"' '"one"' '"two words"' '"three"'
lifecycle NS ns '"content":"ns1.example.net"' '"content":"ns2.example.net"' '"content":"ns3.example.net"' \
  ns1.example.net. ns2.example.net. ns3.example.net.
lifecycle SRV _sip._tcp '"data":{"priority":1,"weight":2,"port":5060,"target":"s1.example.net"}' \
  '"data":{"priority":1,"weight":2,"port":5061,"target":"s1.example.net"}' \
  '"data":{"priority":3,"weight":4,"port":5062,"target":"s3.example.net"}' \
  '1 2 5060 s1.example.net.' '1 2 5061 s1.example.net.' '3 4 5062 s3.example.net.'
lifecycle CAA caa '"data":{"flags":0,"tag":"issue","value":"ca1.example.net"}' \
  '"data":{"flags":128,"tag":"issue","value":"ca1.example.net"}' \
  '"data":{"flags":0,"tag":"issuewild","value":";"}' \
  '0 issue "ca1.example.net"' '128 issue "ca1.example.net"' '0 issuewild ";"'

call POST "$records" '{"type":"A","name":"www","content":"192.0.2.80"}'
succeeds 'create www'
call POST "$records" '{"type":"CNAME","name":"alias","content":"www.example.net"}'
succeeds 'create alias'

refuses 'a bad IPv4 address' 400 9005 POST "$records" '{"type":"A","name":"bad","content":"192.0.2.256"}'
refuses 'a bad IPv6 address' 400 9006 POST "$records" '{"type":"AAAA","name":"bad","content":"2001:db8::g"}'
refuses 'a ttl of 5 seconds' 400 9021 POST "$records" '{"type":"A","name":"bad","content":"192.0.2.1","ttl":5}'
refuses 'a name with an empty label' 400 9000 POST "$records" '{"type":"A","name":"bad..name","content":"192.0.2.1"}'
refuses 'an unknown type' 400 9002 POST "$records" '{"type":"BOGUS","name":"bad","content":"x"}'
refuses 'an identical record' 400 81058 POST "$records" '{"type":"A","name":"www","content":"192.0.2.80"}'
refuses 'a CNAME beside an address' 400 81053 POST "$records" '{"type":"CNAME","name":"www","content":"example.net"}'
refuses 'an address beside a CNAME' 400 81054 POST "$records" '{"type":"A","name":"alias","content":"192.0.2.1"}'
refuses 'a CNAME to itself' 400 9039 POST "$records" "{\"type\":\"CNAME\",\"name\":\"self\",\"content\":\"self.$zone\"}"
refuses 'a proxied TXT' 400 9004 POST "$records" '{"type":"TXT","name":"bad","content":"x","proxied":true}'
refuses 'malformed JSON' 400 6007 POST "$records" '{"type":'
refuses 'an identifier of the wrong form' 400 7003 GET /zones/xyz/dns_records
refuses 'a record that does not exist' 404 81044 GET "$records/00000000000000000000000000000000"
good_token=$TOKEN
TOKEN=short
refuses 'a malformed token' 400 6003 GET "$records"
TOKEN=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
refuses 'an unknown token' 403 9109 GET "$records"
TOKEN=$good_token
resolves "bad.$zone" A ''
resolves "www.$zone" A 192.0.2.80

call DELETE "/zones/$zone_id"
succeeds 'delete the zone'
case "$(ask "www.$zone" A)" in
  *'status: REFUSED'*) verdict 'DNS refuses the deleted zone' yes '' ;;
  *) verdict 'DNS refuses the deleted zone' no 'it still answers' ;;
esac

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
