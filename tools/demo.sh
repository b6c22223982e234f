#!/bin/sh
# Builds Hearth into build/ and shows what it is for: the synthetic workload
# of tools/synth.py, each launch with cold caches and then in sequence, where
# it finds in L2 what the launches before it left there.
set -eu
cd "$(dirname "$0")/.."

tools/install-deps.sh
if [ ! -f build/build.ninja ]; then
    meson setup build >/dev/null
fi
meson compile -C build >/dev/null

workload=build/demo/workload
python3 tools/synth.py "$workload"
build/tools/hearth run "$workload" -q --flush all -o build/demo/cold
build/tools/hearth run "$workload" -q -o build/demo/warm

echo "A synthetic application of 12 launches: cold caches before each (--flush all), and"
echo "warm, as the launches before it left them. Configuration rtx3070."
echo
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; file++; next }
    function rate() {
        reads = $column["l2_reads"]
        return reads > 0 ? 100 * $column["l2_read_hits"] / reads : 0
    }
    file == 1 { cold[$1] = $column["cycles"]; cold_rate[$1] = rate() }
    file == 2 {
        if (!shown++)
            printf "%6s  %-22s %12s %12s %9s %12s %12s\n", "launch", "kernel",
                "cold cycles", "warm cycles", "change", "cold L2 hit", "warm L2 hit"
        warm = $column["cycles"]
        printf "%6d  %-22s %12d %12d %8.1f%% %11.1f%% %11.1f%%\n", $column["launch"],
            $column["kernel"], cold[$1], warm, 100 * (warm / cold[$1] - 1), cold_rate[$1], rate()
        cold_sum += cold[$1]; warm_sum += warm
    }
    END {
        printf "%6s  %-22s %12d %12d %8.1f%%\n", "", "all", cold_sum, warm_sum,
            100 * (warm_sum / cold_sum - 1)
    }' build/demo/cold/kernels.csv build/demo/warm/kernels.csv
echo
echo "Results are in build/demo/cold and build/demo/warm: kernels.csv has a row a launch."
