#!/bin/sh
# Keeps the input and the arguments of each port in a folder of its own, and is the program then. An argument that could
# lead to what is not kept ends the call, as does any other command than a port: nobody could ask the same again.
set -eu
[ "$1" = port ] && { [ -d "$2" ] || [ "$2" = - ]; } && [ "$3" = -o ] || { echo "not recorded: $*" >&2; exit 70; }
kept=$(mktemp -d "$KEPT/XXXXXXXX")
if [ "$2" = - ]; then
    # A text from standard input is kept as a file of CUDA code, for which the program takes it.
    mkdir "$kept/input"
    cat >"$kept/input/stdin.cu"
    exec <"$kept/input/stdin.cu"
else
    cp -a "$2" "$kept/input"
fi
at=0
for one; do
    at=$((at + 1))
    [ "$at" -gt 4 ] || continue
    if [ -f "$one" ]; then
        cp "$one" "$kept/$at"
        one=$kept/$at
    else
        case $one in */*) echo "not recorded: $one" >&2; exit 70 ;; esac
    fi
    printf '%s\n' "$one" >>"$kept/arguments"
done
exec "$PROGRAM" "$@"
