#include "tracer/nvbit/cubins.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tracer/nvbit/inspect.h"

namespace
{

// Has NVBit write the cubin that FUNC is of into a file, and reads that into DATA. Returns
// nullptr, or what went wrong.
const char *dump(CUcontext ctx, CUfunction func, std::string &data)
{
    const char *folder = getenv("TMPDIR");
    std::string path =
        std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/hearth-XXXXXX";
    const int made = mkstemp(&path[0]);
    if (made < 0)
        return strerror(errno);
    close(made);
    compat::dump_cubin(ctx, func, path.c_str());
    std::ifstream file(path, std::ios::binary);
    data.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    unlink(path.c_str());
    return data.empty() ? "NVBit cannot write its cubin" : nullptr;
}

} // namespace

uint32_t Cubins::read(CUcontext ctx, CUfunction func, uint32_t binary_version, error *err)
{
    std::string data;
    std::vector<tracer_inst> insts;
    const char *name = nvbit_get_func_name(ctx, func, true);
    const char *wrong = dump(ctx, func, data);
    if (wrong != nullptr) {
        err->kind = ERROR_TRACE;
        snprintf(err->text, sizeof err->text, "%s", wrong);
        return 0;
    }
    for (Instr *instr : nvbit_get_instrs(ctx, func)) {
        Inspected inspected;
        inspect(inspected, instr, name, binary_version);
        inspected.inst.predicates = nullptr; // it ends with `inspected`
        insts.push_back(inspected.inst);
    }
    tracer_cubin cubin = {};
    cubin.data = data.data();
    cubin.size = data.size();
    cubin.name = name;
    cubin.address = compat::function_address(ctx, func);
    cubin.insts = insts.data();
    cubin.count = static_cast<uint32_t>(insts.size());
    return tracer_add_cubin(target, &cubin, err);
}

uint32_t Cubins::code_of(CUcontext ctx, CUfunction func, uint32_t binary_version)
{
    if (options.code == 0 || options.mode == TRACER_PROFILE)
        return 0;
    const auto known = numbers.find(func);
    if (known != numbers.end())
        return known->second;
    error err = {};
    const uint32_t number = numbers[func] = read(ctx, func, binary_version, &err);
    if (number == 0 && !has_complained) {
        has_complained = true;
        fprintf(
            stderr,
            "hearth tracer: %.200s: %s: its code is missing in the traces, and that of others "
            "may be\n",
            nvbit_get_func_name(ctx, func, true), err.text);
    }
    return number;
}
