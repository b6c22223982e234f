#!/bin/sh
# Builds the program into build/ and shows what it is for: a bundled synthetic
# workload, each launch with cold caches and then in sequence, where it finds
# in L2 what the launches before it left there.
set -eu
cd "$(dirname "$0")/.."

tools/install-deps.sh
if [ ! -f build/build.ninja ]; then
    meson setup build >/dev/null
fi
meson compile -C build tools/hearth:executable >/dev/null

workload=demo/dct8x8.packed
for state in cold warm; do
    flush=l1
    [ $state = warm ] || flush=all
    build/tools/hearth run "$workload" -q --flush $flush --set gpgpu_kernel_launch_latency=0 \
        -o build/demo/$state
done

echo "Eight kernels of the CUDA sample dct8x8 on four images, synthetic ($workload):"
echo "cold caches before each launch (--flush all), and warm, as the launches before it"
echo "left them. Configuration rtx3070, without launch latency."
echo
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; file++; next }
    {
        kernel = $column["kernel"]
        if (!(kernel in launches))
            kernels[++count] = kernel
        launches[kernel] += file == 1
        all += file == 1
        cycles[file, kernel] += $column["cycles"]
        reads[file, kernel] += $column["l2_reads"]
        hits[file, kernel] += $column["l2_read_hits"]
    }
    function rate(n, kernel) {
        return reads[n, kernel] > 0 ? 100 * hits[n, kernel] / reads[n, kernel] : 0
    }
    function row(kernel, n, cold, warm) {
        printf "%-34s %8d %12d %12d %7.1f%%", kernel, n, cold, warm, 100 * (warm / cold - 1)
    }
    END {
        printf "%-34s %8s %12s %12s %8s %12s %12s\n", "kernel", "launches", "cold cycles",
            "warm cycles", "change", "cold L2 hit", "warm L2 hit"
        for (i = 1; i <= count; i++) {
            kernel = kernels[i]
            cold = cycles[1, kernel]; warm = cycles[2, kernel]
            row(kernel, launches[kernel], cold, warm)
            printf " %11.1f%% %11.1f%%\n", rate(1, kernel), rate(2, kernel)
            cold_sum += cold; warm_sum += warm
        }
        row("all", all, cold_sum, warm_sum)
        printf "\n"
    }' build/demo/cold/kernels.csv build/demo/warm/kernels.csv
echo
echo "Results are in build/demo/cold and build/demo/warm: kernels.csv has a row a launch."
