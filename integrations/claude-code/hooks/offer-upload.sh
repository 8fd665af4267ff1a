#!/bin/sh
# After a plan was accepted in plan mode: tells Claude to ask whether it may be uploaded. It uploads nothing by itself.
# Only a uuid is taken from the input, so that what is printed is always JSON.
session=$(tr '\n' ' ' | sed -n 's/.*"session_id" *: *"\([0-9a-fA-F-]\{36\}\)".*/\1/p')
[ -n "$session" ] || exit 0
cat <<JSON
{
  "hookSpecificOutput": {
    "hookEventName": "PostToolUse",
    "additionalContext": "The user has accepted a plan, and the Countersign plugin is installed. If the tools of the MCP server countersign are connected, ask the user once, before you start on the plan: should it be uploaded to Countersign, so that the team can review it? Upload it only after a clear yes: call update_plan with the whole plan as content, sessionId $session and agentVendor claude-code, then show the link. After a no, or without an answer, upload nothing, do not ask again, and go on. If the tools are not connected, do not mention this."
  }
}
JSON
