#!/usr/bin/env bash
# The main job on the built-in sample library: make a bank, list it, look at it, get a clip out again.
# demo.sh [FOLDER] [MINUTES of sample motion]
set -euo pipefail
out=${1:-demo}
minutes=${2:-5}
rm -rf "$out"
mkdir -p "$out"
bank=$out/library.bank

run() {  # the command as it can be pasted, then what it says
    local word
    printf '\n$ motionary'
    for word in "$@"; do
        if [[ $word =~ ^[A-Za-z0-9_./:=~%+-]+$ && $word != "~"* ]]; then
            printf ' %s' "$word"
        else
            printf " '%s'" "${word//\'/\'\\\'\'}"
        fi
    done
    printf '\n'
    motionary "$@"
}

first() {  # a field of the first of the JSON objects that are listed
    python3 -c 'import json, sys; print(json.loads(sys.stdin.read().splitlines()[0])[sys.argv[1]])' "$1"
}

echo "Motionary demo: everything goes into $out/"
run sample "$bank" --minutes "$minutes" --seed 20
run info "$bank"
run ls "$bank" --label kick_front
run label ls "$bank"
clip="#$(motionary ls "$bank" --label walk --json | first id)"
run info "$bank" "$clip"
for action in walk kick_front cartwheel; do
    segment=$(motionary label find "$bank" "$action" --json | first segment)
    run show "$bank" "$segment" -o "$out/$action.png"
done
run show "$bank" "$segment" -o "$out/$action.gif"
kick=$(motionary label find "$bank" kick_front --json | first segment)
run search "$bank" "$kick" -k 5 -o "$out/kicks.png"
run score "$bank" "$kick"
run export "$bank" "$clip" -o "$out/take.bvh"
run export "$bank" "$clip" -o "$out/take.glb"
run import "$out/again.bank" "$out/take.bvh"
run check "$bank"
cat <<TXT

Made: $out/walk.png, kick_front.png, cartwheel.png, cartwheel.gif, kicks.png (a kick and what is like it), take.bvh, take.glb (drop it on any glTF viewer)

Try next, with your own folder of .bvh or .asf/.amc files:
  motionary import my.bank FOLDER --label-folders
  motionary ls my.bank "some words"
  motionary show my.bank CLIP:1.5s-3s -o strip.png
  motionary search my.bank CLIP:1.5s-3s -o matches.png
  motionary clean my.bank CLIP --dry-run -o before-after.png
Look at the sample library in a browser: search, label, edit and blend it there (\`make studio\` does it, too):
  motionary studio $bank
Activate the environment first (source .venv/bin/activate), or call .venv/bin/motionary.
TXT
