# Sourced before the commands of docs/guides/run-in-production.md, which run as printed under the folder $ROOT. What the functions below do
# differently is what a suite cannot do: create users, run systemd and containers, fetch packages. $SERVICE_USER is the user of the service.
set -euo pipefail
export PATH="$ROOT/usr/local/bin:$PATH"
units=$ROOT/etc/systemd/system
mkdir -p "$units" "$ROOT/usr/local/bin"

useradd() { id "$SERVICE_USER" >/dev/null; }
docker() { :; } # the test reads its arguments

# An upgrade finds its packages there already.
npm() {
  [ ! -e node_modules/koa ] || [ -e node_modules/tsx ] || return 0
  if [ "$*" != ci ]; then command npm "$@"; else
    cp -al "$CHECKOUT/node_modules/." node_modules 2>/dev/null || cp -a "$CHECKOUT/node_modules/." node_modules
  fi
}

git() { [ "$*" = pull ]; }

# ExecStart of a unit, as its user and without the variables of this shell.
run_unit() {
  local file=$units/$1.service
  local command
  command=$(sed -n 's/^ExecStart=//p' "$file")
  [ "$(sed -n 's/^User=//p' "$file")" = "$SERVICE_USER" ]
  local as=()
  [ "$(id -un)" = "$SERVICE_USER" ] || as=(setpriv --reuid "$SERVICE_USER" --regid "$(id -g "$SERVICE_USER")" --clear-groups)
  # shellcheck disable=SC2086 # the words of the command
  exec env -i PATH="$PATH" "${as[@]}" $command
}

start_service() {
  rm -f "$ROOT/service.log"
  (run_unit affiliate-api) >"$ROOT/service.log" 2>&1 &
  echo $! >"$ROOT/service.pid"
  until grep -q 'listening on' "$ROOT/service.log" 2>/dev/null; do
    kill -0 "$!" 2>/dev/null || { cat "$ROOT/service.log" && return 1; }
    sleep 0.05
  done
}

# It must end with 0.
stop_service() {
  [ -e "$ROOT/service.pid" ] || return 0
  kill -TERM "$(cat "$ROOT/service.pid")" 2>/dev/null || true
  wait "$(cat "$ROOT/service.pid")"
  rm "$ROOT/service.pid"
}
trap stop_service EXIT

systemctl() {
  case "$*" in
    daemon-reload) ;;
    'enable --now affiliate-api' | 'start affiliate-api') start_service ;;
    'stop affiliate-api') stop_service ;;
    'restart affiliate-api') stop_service && start_service ;;
    'enable --now affiliate-backup.timer') [ -e "$units/affiliate-backup.timer" ] ;;
    'start affiliate-backup') (run_unit affiliate-backup) ;;
    *) echo "systemctl $*: the test does not know this command" >&2 && return 1 ;;
  esac
}
