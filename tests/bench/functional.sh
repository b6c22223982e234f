#!/bin/sh
# Makes synthetic workloads in FOLDER, once, and measures launches without time on them.
# usage: functional.sh HEARTH BENCH FOLDER [WORKLOAD:SCALE ...]
set -eu
hearth=$1 bench=$2 folder=$3
shift 3
[ $# -gt 0 ] || set -- dct8x8:1 oceanfft:1 unet3d:1 stencil:0.3 gemm:1 bfs:0.2 micro_gather:10
mkdir -p "$folder"
for workload; do
    file=$folder/${workload%:*}-${workload#*:}.packed
    [ -e "$file" ] || "$hearth" trace synth "${workload%:*}" --scale "${workload#*:}" --to packed --level 3 -q -o "$file"
    "$bench" "$file"
done
