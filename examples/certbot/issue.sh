#!/bin/sh
# Gets a certificate for ZONE and its wildcard by DNS-01. Environment: ZONEREEVE_URL (ending in /client/v4), ZONE,
# CREDENTIALS (a file only you can read, with the line `dns_cloudflare_api_token = TOKEN`).
# DNS answers the challenge as soon as the API has replied, so there is no need to wait.
set -eu
export CLOUDFLARE_API_URL="$ZONEREEVE_URL"
exec certbot certonly --non-interactive --agree-tos --register-unsafely-without-email \
  --dns-cloudflare --dns-cloudflare-credentials "$CREDENTIALS" --dns-cloudflare-propagation-seconds 0 \
  --domain "$ZONE" --domain "*.$ZONE" "$@"
