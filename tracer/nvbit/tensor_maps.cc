#include "tracer/nvbit/tensor_maps.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "tracer/maps/tensor_map.h"

namespace
{

template <typename Number> std::string list(const Number *numbers, unsigned count)
{
    std::string text;
    for (unsigned i = 0; numbers != nullptr && i < count; i++)
        text += (i > 0 ? "," : "") + std::to_string(numbers[i]);
    return text;
}

#if HAS_TENSOR_MAPS
// What both kinds have: first the bytes of the map, by which kernels' parameters are known.
template <typename Params> std::string start(const char *kind, const Params &p)
{
    unsigned char bytes[sizeof *p.tensorMap];
    std::string text = "# tensormap ";
    char part[64];
    memcpy(bytes, p.tensorMap, sizeof bytes);
    for (unsigned char byte : bytes) {
        snprintf(part, sizeof part, "%02x", byte);
        text += part;
    }
    snprintf(part, sizeof part, " %s type=%d address=0x%016" PRIxPTR, kind,
             static_cast<int>(p.tensorDataType), reinterpret_cast<uintptr_t>(p.globalAddress));
    return text + part + " dims=" + list(p.globalDim, p.tensorRank) +
           " strides=" + list(p.globalStrides, p.tensorRank - 1) +
           " steps=" + list(p.elementStrides, p.tensorRank);
}

template <typename Params> std::string finish(const Params &p)
{
    char text[96];
    snprintf(text, sizeof text, " interleave=%d swizzle=%d promotion=%d fill=%d",
             static_cast<int>(p.interleave), static_cast<int>(p.swizzle),
             static_cast<int>(p.l2Promotion), static_cast<int>(p.oobFill));
    return text;
}
#endif

std::string describe(const Event &event)
{
#if HAS_TENSOR_MAPS
    if (event.kind == Event::TENSOR_TILED) {
        const auto &p = *static_cast<const cuTensorMapEncodeTiled_params *>(event.params);
        return start("tiled", p) + " box=" + list(p.boxDim, p.tensorRank) + finish(p);
    }
    const auto &p = *static_cast<const cuTensorMapEncodeIm2col_params *>(event.params);
    const unsigned corner = p.tensorRank - 2; // coordinates
    return start("im2col", p) + " lower=" + list(p.pixelBoxLowerCorner, corner) +
           " upper=" + list(p.pixelBoxUpperCorner, corner) +
           " channels=" + std::to_string(p.channelsPerPixel) +
           " pixels=" + std::to_string(p.pixelsPerColumn) + finish(p);
#else
    return "# tensormap";
#endif
}

// Of the call of EVENT.
std::string bytes_of(const Event &event)
{
#if HAS_TENSOR_MAPS
    const CUtensorMap *map =
        event.kind == Event::TENSOR_TILED
            ? static_cast<const cuTensorMapEncodeTiled_params *>(event.params)->tensorMap
            : static_cast<const cuTensorMapEncodeIm2col_params *>(event.params)->tensorMap;
    return std::string(reinterpret_cast<const char *>(map), sizeof *map);
#else
    return "";
#endif
}

constexpr size_t MAP_BYTES = TENSOR_MAP_BYTES, STEP = 8;

// Whether a map can be OFFSET bytes from the start of the parameters: maps are at multiples of
// 64 in the constants, where parameters begin at 0x210 (sm_90), or from sm_100 on at 0x380.
bool is_place(size_t offset)
{
    return (offset + 0x210) % 64 == 0 || (offset + 0x380) % 64 == 0;
}

} // namespace

std::string TensorMaps::add(const Event &event)
{
    numbers[bytes_of(event)] = ++count;
    return describe(event);
}

uint32_t TensorMaps::number_of(const std::string &bytes) const
{
    const auto found = numbers.find(bytes);
    return found != numbers.end() ? found->second : 0;
}

// The map at AT of PARAMETER by what its bytes say; 0: there is none.
uint32_t TensorMaps::decode(const Parameter &parameter, size_t at,
                            std::vector<std::string> &lines)
{
    tensor_map_note note;
    if (!is_place(parameter.offset + at) ||
        !tensor_map_decode(static_cast<const char *>(parameter.data) + at, parameter.size - at,
                           &note))
        return 0;
    uint32_t &number = numbers[std::string(reinterpret_cast<char *>(note.bytes), MAP_BYTES)];
    if (number == 0) {
        number = ++count;
        lines.push_back(note.text);
    }
    return number;
}

void TensorMaps::find(const Parameter &parameter, std::vector<std::string> &lines,
                      std::string &text)
{
    const char *data = static_cast<const char *>(parameter.data);
    for (size_t at = 0; at + TENSOR_MAP_SHORT <= parameter.size; at += STEP) {
        uint32_t number = 0;
        if (!numbers.empty() && at + MAP_BYTES <= parameter.size)
            number = number_of(std::string(data + at, MAP_BYTES));
        if (number == 0)
            number = decode(parameter, at, lines);
        if (number == 0)
            continue;
        text += (text.empty() ? "" : ",") + std::to_string(parameter.offset + at) + ":" +
                std::to_string(number);
    }
}
