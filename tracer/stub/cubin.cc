// What the driver loads: the bytes of a function as an ELF file, as far as it is read here.
#include <cstdint>
#include <fstream>
#include <string>

#include "tracer/stub/driver.h"

namespace
{

constexpr size_t HEADER_BYTES = 64, SECTION_BYTES = 64;
constexpr uint32_t CODE = 1, SYMBOLS = 2, NAMES = 3, INFO = 0x70000000;

void put(std::string &out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out += static_cast<char>(i < 8 ? value >> 8 * i : 0);
}

// A file as it grows.
struct Elf {
    std::string data = std::string(HEADER_BYTES, '\0'), names = std::string(1, '\0'), table;
    uint16_t count = 0;

    void add(const std::string &name, uint32_t type, uint32_t link, const std::string &content)
    {
        put(table, names.size(), 4);
        names += name + '\0';
        put(table, type, 4);
        put(table, 0, 16);
        put(table, data.size(), 8);
        put(table, content.size(), 8);
        put(table, link, 4);
        put(table, 0, 20);
        data += content;
        count++;
    }

    std::string finish(int version)
    {
        std::string header("\177ELF\2\1", 6);
        add(".shstrtab", NAMES, 0, names + ".shstrtab" + '\0');
        names += '\0';
        header.resize(18);
        put(header, 190, 2); // CUDA
        header.resize(40);
        put(header, data.size(), 8);
        put(header, static_cast<uint64_t>(version), 4);
        header.resize(60);
        put(header, count, 2);
        put(header, count - 1u, 2);
        return header + data.substr(HEADER_BYTES) + table;
    }
};

// An attribute of SIZE bytes: numbers of 4.
std::string attribute(int number, std::initializer_list<uint32_t> values)
{
    std::string out;
    put(out, 4, 1);
    put(out, static_cast<uint64_t>(number), 1);
    put(out, 4 * values.size(), 2);
    for (uint32_t value : values)
        put(out, value, 4);
    return out;
}

} // namespace

// Says false even when it has written the file, as NVBit 1.7.7.1 does.
bool nvbit_dump_cubin(CUcontext, CUfunction func, const char *path)
{
    if (func->cubin_fails)
        return false;
    Elf elf;
    std::string code, symbols(24, '\0');
    for (const Instr *instr : func->instrs) {
        put(code, instr->low, 8);
        put(code, instr->high, 8);
    }
    put(symbols, 1, 4);
    put(symbols, 0, 20);
    elf.add("", 0, 0, "");
    elf.add(".strtab", NAMES, 0, '\0' + func->name + '\0');
    elf.add(".symtab", SYMBOLS, 1, symbols);
    elf.add(".nv.info", INFO, 0, attribute(0x2f, {1, static_cast<uint32_t>(func->regs)}));
    elf.add(".nv.info." + func->name, INFO, 0,
            attribute(0x05, {256, 1, 1}) + std::string("\2\x4c\3\0", 4));
    elf.add(".nv.constant0." + func->name, CODE, 0, std::string(0x228, '\0'));
    elf.add(".text." + func->name, CODE, 0, code);
    std::ofstream file(path, std::ios::binary);
    file << elf.finish(func->binary_version);
    return false;
}

uint64_t nvbit_get_func_addr(CUcontext, CUfunction func)
{
    return func->address;
}
