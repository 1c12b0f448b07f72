# Sourced before the commands of a page, which then run as they stand. What the functions below do differently is what a suite cannot do:
# fetch packages, run itself, sit in front of two terminals, and fill in a form.
set -euo pipefail

first=''

# Ctrl-C in the first terminal, where something serves.
close_first() {
  [ -n "$first" ] || return 0
  kill -INT -- "-$first" 2>/dev/null || true
  wait "$first" 2>/dev/null || true
  first=''
}
trap close_first EXIT

# Starts something that goes on, and waits until it says so in the given words.
in_first_terminal() {
  local words=$1
  shift
  close_first
  : >first-terminal.log
  set -m
  "$@" >first-terminal.log 2>&1 &
  first=$!
  set +m
  until grep -q -- "$words" first-terminal.log; do
    kill -0 "$first" 2>/dev/null || { cat first-terminal.log && return 1; }
    sleep 0.05
  done
  cat first-terminal.log
}

# Opens the link of a first start, and creates the administrator boss.
fill_in_setup() {
  local link form=0123456789abcdef0123456789abcdef
  link=$(sed -n 's/^Create the first administrator: //p' first-terminal.log)
  [ -n "$link" ] || return 0
  curl --silent --fail --cookie "svc_form=$form" --data "form_token=$form&token=${link#*token=}" \
    --data 'login=boss&email=boss@shop.example&password=a+long+sentence&store_name=Shop&store_url=https://shop.example' \
    --data 'store_currency=EUR&store_timezone=Europe/Berlin&service_url=https://affiliates.example.com&addons_store=yes' "${link%%\?*}"
}

# Starts something that goes on beside the service, and ends it once it has said its first line. It must end well.
for_a_while() {
  : >second-terminal.log
  set -m
  "$@" >second-terminal.log 2>&1 &
  local second=$!
  set +m
  until [ -s second-terminal.log ]; do
    kill -0 "$second" 2>/dev/null || return 1
    sleep 0.05
  done
  cat second-terminal.log
  kill -INT -- "-$second"
  wait "$second"
}

npm() {
  case "$*" in
    ci) echo "npm ci: the copy has this checkout's modules" ;;
    test) echo 'npm test: this is it' ;;
    install\ *) echo "npm $*: nothing is fetched here; test/client/ installs the package by hand" ;;
    'run demo') in_first_terminal '--fresh starts over' command npm run demo -- --orders 300 ;;
    start) in_first_terminal 'listening on' command npm start && fill_in_setup ;;
    'run lint') "${lint[@]}" contract ;; # the contract's part; the suite has the rest
    'run check') "${breaking_changes[@]}" ;; # likewise; the test compiles the view
    'run mock') in_first_terminal 'every operation' command npm run mock ;;
    *) command npm "$@" ;;
  esac
}

# `affiliate` and these scripts are compiled into few files, which start in half the time. `npm run demo` and `npm start` run dist/.
npx() {
  if [ "$1" != affiliate ]; then
    command npx "$@"
    return
  fi
  shift
  case "$1" in
    demo) in_first_terminal '--fresh starts over' "${affiliate[@]}" demo --orders 300 ;;
    listen | worker) for_a_while "${affiliate[@]}" "$@" ;;
    *) "${affiliate[@]}" "$@" ;;
  esac
}
