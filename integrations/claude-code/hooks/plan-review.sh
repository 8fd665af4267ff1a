#!/bin/sh
# Runs the hook with Node.js. Without Node.js 18 or newer it does nothing, and Claude Code asks its own question.
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null || exit 0
exec node "$(dirname "$0")/plan-review.mjs"
