#!/usr/bin/env bash
# The step of action.yml: runs the command of INPUT_COMMAND with the other inputs, and reports its exit code.
set -uo pipefail

fail() {
  echo "::error::$1"
  exit 2
}

# Puts the command on the PATH. The checksum names the folder, so later steps of the job reuse it.
install_package() {
  [[ $INPUT_PACKAGE_SHA256 =~ ^[0-9a-f]{64}$ ]] || fail 'The input package needs package-sha256: 64 hexadecimal digits, from sha256sum'
  local folder="${RUNNER_TEMP:-/tmp}/countersign-$INPUT_PACKAGE_SHA256"
  if [[ ! -e $folder/installed ]]; then
    local file="$folder/countersign.tgz"
    mkdir -p "$folder"
    case $INPUT_PACKAGE in
    https://* | http://*) curl --fail --silent --show-error --location --output "$file" "$INPUT_PACKAGE" || fail 'The package cannot be downloaded' ;;
    *) cp -- "$INPUT_PACKAGE" "$file" || fail 'The package cannot be read' ;;
    esac
    echo "$INPUT_PACKAGE_SHA256  $file" | sha256sum --check --status || fail 'The package does not have the checksum in package-sha256'
    npm install --prefix "$folder" --no-audit --no-fund --no-save "$file" >&2 || fail 'The package cannot be installed'
    touch "$folder/installed"
  fi
  PATH="$folder/node_modules/.bin:$PATH"
}

if [[ -n $INPUT_PACKAGE ]]; then install_package; fi
type -P countersign >/dev/null || fail 'There is no countersign command. Set the input package to the URL of the package that npm pack wrote'

# Prints the JSON, and keeps it as an output of the step. The exit code is that of the command.
run_with_json() {
  local json code=0
  json=$(countersign "$@" --json) || code=$?
  [[ -z $json ]] && return "$code"
  printf '%s\n' "$json"
  {
    echo 'json<<COUNTERSIGN_END_OF_JSON'
    printf '%s\n' "$json"
    echo 'COUNTERSIGN_END_OF_JSON'
  } >>"$GITHUB_OUTPUT"
  return "$code"
}

words=()
code=0
case $INPUT_COMMAND in
review)
  base=${INPUT_BASE:-${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}}
  [[ -n $base ]] && words+=("--base=$base")
  countersign review "${words[@]}" || code=$?
  if [[ -n $INPUT_SARIF_FILE && ($code -eq 0 || $code -eq 4) ]]; then
    countersign review --sarif "${words[@]}" >"$INPUT_SARIF_FILE" || code=$?
  fi
  ;;
'plan post')
  [[ -n $INPUT_REPOSITORY ]] && words+=("--repository=$INPUT_REPOSITORY")
  run_with_json plan post "--file=$INPUT_FILE" "${words[@]}" || code=$?
  ;;
'plan status')
  run_with_json plan status "--file=$INPUT_FILE" || code=$?
  ;;
'plan wait')
  run_with_json plan wait "--file=$INPUT_FILE" "--timeout=$INPUT_TIMEOUT" || code=$?
  ;;
discussions)
  [[ -n $INPUT_REPOSITORY ]] && words+=("--repository=$INPUT_REPOSITORY")
  run_with_json discussions "--branch=${GITHUB_HEAD_REF:-${GITHUB_REF_NAME:-}}" "${words[@]}" || code=$?
  ;;
*)
  echo "::error::The input command must be one of: review, plan post, plan status, plan wait, discussions"
  code=2
  ;;
esac

echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ " $INPUT_ALLOWED_EXIT_CODES " == *" $code "* ]]; then exit 0; fi
exit "$code"
