#!/bin/sh
# Prints the link that adds Countersign to Cursor. Usage: sh install-link.sh https://review.example.com (with or without /mcp)
address=${1:-${COUNTERSIGN_URL:-http://127.0.0.1:4000}}
address=${address%/}
config=$(printf '{"url":"%s/mcp"}' "${address%/mcp}" | base64 | tr -d '\n' | sed 's/+/%2B/g; s#/#%2F#g; s/=/%3D/g')
printf 'cursor://anysphere.cursor-deeplink/mcp/install?name=countersign&config=%s\n' "$config"
