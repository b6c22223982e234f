#include "tracer/nvbit/copies.h"

#include <cinttypes>
#include <cstdio>

namespace
{

template <typename Params> CUstream stream_of(const Params *p)
{
    return p->hStream;
}

Event of_kind(Event::Kind kind)
{
    Event event = {};
    event.kind = kind;
    return event;
}

// ---- in one dimension ------------------------------------------------------

template <typename Params> Event copy_to_device(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(Event::COPY);
    event.address = p->dstDevice;
    event.bytes = p->ByteCount;
    return event;
}

template <typename Params> Event copy_to_host(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(Event::COPY);
    event.address = p->srcDevice;
    event.bytes = p->ByteCount;
    event.to_host = true;
    return event;
}

// A copy between addresses of the same TYPE.
Event copy_between(CUmemorytype type, uint64_t to, uint64_t from, uint64_t bytes)
{
    Event event = of_kind(Event::COPY_ON);
    event.address = to;
    event.source = from;
    event.bytes = bytes;
    event.to.type = event.from.type = type;
    return event;
}

template <typename Params> Event copy_on_device(void *params)
{
    const Params *p = static_cast<Params *>(params);
    return copy_between(CU_MEMORYTYPE_DEVICE, p->dstDevice, p->srcDevice, p->ByteCount);
}

// By unified addresses: the call does not say which of them are the host's.
template <typename Params> Event copy_anywhere(void *params)
{
    const Params *p = static_cast<Params *>(params);
    return copy_between(CU_MEMORYTYPE_UNIFIED, p->dst, p->src, p->ByteCount);
}

// N elements of SIZE bytes are set.
template <typename Params, uint64_t SIZE> Event set_of(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(Event::SET);
    event.address = p->dstDevice;
    event.bytes = p->N * SIZE;
    return event;
}

// EVENT in the stream of PARAMS.
template <typename Params> Event in_stream(Event event, void *params)
{
    event.stream = stream_of(static_cast<Params *>(params));
    return event;
}

// ---- rows and planes -------------------------------------------------------

// One end of a copy. FROM is where the first byte is in it.
Event::End end_of(CUmemorytype type, const void *host, uint64_t device, uint64_t pitch,
                  uint64_t height, const uint64_t from[3])
{
    const uint64_t base =
        type == CU_MEMORYTYPE_HOST ? reinterpret_cast<uintptr_t>(host) : device;
    Event::End end = {};
    end.type = type;
    if (type == CU_MEMORYTYPE_ARRAY)
        return end;
    end.pitch = pitch;
    end.plane = pitch * height;
    end.address = base + from[0] + from[1] * end.pitch + from[2] * end.plane;
    return end;
}

// Whether all that is copied is in one piece at END.
bool is_whole(const Event &event, const Event::End &end)
{
    return end.type != CU_MEMORYTYPE_ARRAY && (event.rows == 1 || end.pitch == event.row) &&
           (event.planes == 1 || end.plane == event.row * event.rows);
}

// A copy whose rows adjoin is an ordinary one.
Event simplify(Event event)
{
    if (event.bytes == 0)
        return of_kind(Event::OTHER);
    if (!is_whole(event, event.to) || !is_whole(event, event.from))
        return event;
    event.kind = Event::COPY_ON;
    event.address = event.to.address;
    event.source = event.from.address;
    return event;
}

Event rows_of(uint64_t row, uint64_t rows, uint64_t planes)
{
    Event event = of_kind(Event::ROWS);
    event.row = row;
    event.rows = rows;
    event.planes = planes;
    event.bytes = row * rows * planes;
    return event;
}

template <typename Params> Event copy_2d(void *params)
{
    const auto *p = static_cast<Params *>(params)->pCopy;
    const uint64_t to[] = {p->dstXInBytes, p->dstY, 0}, from[] = {p->srcXInBytes, p->srcY, 0};
    Event event = rows_of(p->WidthInBytes, p->Height, 1);
    event.to = end_of(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstPitch, 0, to);
    event.from = end_of(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcPitch, 0, from);
    return simplify(event);
}

// COPY is a CUDA_MEMCPY3D or CUDA_MEMCPY3D_PEER.
template <typename Copy> Event copy_3d(const Copy *p)
{
    const uint64_t to[] = {p->dstXInBytes, p->dstY, p->dstZ},
                   from[] = {p->srcXInBytes, p->srcY, p->srcZ};
    Event event = rows_of(p->WidthInBytes, p->Height, p->Depth);
    event.to =
        end_of(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstPitch, p->dstHeight, to);
    event.from =
        end_of(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcPitch, p->srcHeight, from);
    return simplify(event);
}

// ROWS of ROW bytes are set, PITCH bytes apart.
Event set_rows(uint64_t address, uint64_t row, uint64_t rows, uint64_t pitch)
{
    Event event = rows_of(row, rows, 1);
    if (event.bytes == 0)
        return of_kind(Event::OTHER);
    event.kind = Event::SET;
    event.address = address;
    event.to.pitch = pitch;
    if (pitch == row)
        event.rows = 1;
    return event;
}

template <typename Params, uint64_t SIZE> Event set_2d(void *params)
{
    const Params *p = static_cast<Params *>(params);
    return set_rows(p->dstDevice, p->Width * SIZE, p->Height, p->dstPitch);
}

// ---- directions ------------------------------------------------------------

// What a call means by TYPE for ADDRESS: of a unified address, where its memory is, or still
// CU_MEMORYTYPE_UNIFIED for managed memory, which may be anywhere. The driver does not know
// memory that the host has only allocated, but in a graph that may be the graph's own.
CUmemorytype find_memory(CUmemorytype type, uint64_t address, bool in_graph)
{
    unsigned found = 0, managed = 0;
    if (type != CU_MEMORYTYPE_UNIFIED)
        return type;
    const CUresult result =
        cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
    if (result == CUDA_ERROR_INVALID_VALUE && !in_graph)
        return CU_MEMORYTYPE_HOST;
    if (result != CUDA_SUCCESS ||
        cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) !=
            CUDA_SUCCESS ||
        managed != 0)
        return CU_MEMORYTYPE_UNIFIED;
    return static_cast<CUmemorytype>(found);
}

// ---- which call ------------------------------------------------------------

template <typename Params> Event batch_of(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(Event::BATCH);
    event.batch = {p->dsts, p->srcs, p->sizes, p->count};
    return in_stream<Params>(event, params);
}

Event memset_event_of(nvbit_api_cuda_t cbid, void *params)
{
    switch (cbid) {
    case API_CUDA_cuMemsetD8_v2:
    case API_CUDA_cuMemsetD8_v2_ptds:
        return set_of<cuMemsetD8_v2_params, 1>(params);
    case API_CUDA_cuMemsetD8Async:
    case API_CUDA_cuMemsetD8Async_ptsz:
        return in_stream<cuMemsetD8Async_params>(set_of<cuMemsetD8Async_params, 1>(params),
                                                 params);
    case API_CUDA_cuMemsetD16_v2:
    case API_CUDA_cuMemsetD16_v2_ptds:
        return set_of<cuMemsetD16_v2_params, 2>(params);
    case API_CUDA_cuMemsetD16Async:
    case API_CUDA_cuMemsetD16Async_ptsz:
        return in_stream<cuMemsetD16Async_params>(set_of<cuMemsetD16Async_params, 2>(params),
                                                  params);
    case API_CUDA_cuMemsetD32_v2:
    case API_CUDA_cuMemsetD32_v2_ptds:
        return set_of<cuMemsetD32_v2_params, 4>(params);
    case API_CUDA_cuMemsetD32Async:
    case API_CUDA_cuMemsetD32Async_ptsz:
        return in_stream<cuMemsetD32Async_params>(set_of<cuMemsetD32Async_params, 4>(params),
                                                  params);
    case API_CUDA_cuMemsetD2D8_v2:
    case API_CUDA_cuMemsetD2D8_v2_ptds:
        return set_2d<cuMemsetD2D8_v2_params, 1>(params);
    case API_CUDA_cuMemsetD2D8Async:
    case API_CUDA_cuMemsetD2D8Async_ptsz:
        return in_stream<cuMemsetD2D8Async_params>(set_2d<cuMemsetD2D8Async_params, 1>(params),
                                                   params);
    case API_CUDA_cuMemsetD2D16_v2:
    case API_CUDA_cuMemsetD2D16_v2_ptds:
        return set_2d<cuMemsetD2D16_v2_params, 2>(params);
    case API_CUDA_cuMemsetD2D16Async:
    case API_CUDA_cuMemsetD2D16Async_ptsz:
        return in_stream<cuMemsetD2D16Async_params>(
            set_2d<cuMemsetD2D16Async_params, 2>(params), params);
    case API_CUDA_cuMemsetD2D32_v2:
    case API_CUDA_cuMemsetD2D32_v2_ptds:
        return set_2d<cuMemsetD2D32_v2_params, 4>(params);
    case API_CUDA_cuMemsetD2D32Async:
    case API_CUDA_cuMemsetD2D32Async_ptsz:
        return in_stream<cuMemsetD2D32Async_params>(
            set_2d<cuMemsetD2D32Async_params, 4>(params), params);
    default:
        return of_kind(Event::OTHER);
    }
}

// Copies of several rows, or of several copies.
Event shaped_event_of(nvbit_api_cuda_t cbid, void *params)
{
    switch (cbid) {
    case API_CUDA_cuMemcpy2D_v2:
    case API_CUDA_cuMemcpy2D_v2_ptds:
    case API_CUDA_cuMemcpy2DUnaligned_v2:
    case API_CUDA_cuMemcpy2DUnaligned_v2_ptds:
        return copy_2d<cuMemcpy2D_v2_params>(params);
    case API_CUDA_cuMemcpy2DAsync_v2:
    case API_CUDA_cuMemcpy2DAsync_v2_ptsz:
        return in_stream<cuMemcpy2DAsync_v2_params>(copy_2d<cuMemcpy2DAsync_v2_params>(params),
                                                    params);
    case API_CUDA_cuMemcpy3D_v2:
    case API_CUDA_cuMemcpy3D_v2_ptds:
        return copy_3d(static_cast<cuMemcpy3D_v2_params *>(params)->pCopy);
    case API_CUDA_cuMemcpy3DAsync_v2:
    case API_CUDA_cuMemcpy3DAsync_v2_ptsz:
        return in_stream<cuMemcpy3DAsync_v2_params>(
            copy_3d(static_cast<cuMemcpy3DAsync_v2_params *>(params)->pCopy), params);
    case API_CUDA_cuMemcpy3DPeer:
    case API_CUDA_cuMemcpy3DPeer_ptds:
        return copy_3d(static_cast<cuMemcpy3DPeer_params *>(params)->pCopy);
    case API_CUDA_cuMemcpy3DPeerAsync:
    case API_CUDA_cuMemcpy3DPeerAsync_ptsz:
        return in_stream<cuMemcpy3DPeerAsync_params>(
            copy_3d(static_cast<cuMemcpy3DPeerAsync_params *>(params)->pCopy), params);
#if HAS_BATCHES
    case API_CUDA_cuMemcpyBatchAsync:
    case API_CUDA_cuMemcpyBatchAsync_ptsz:
        return batch_of<cuMemcpyBatchAsync_params>(params);
    case API_CUDA_cuMemcpyBatchAsync_v2:
    case API_CUDA_cuMemcpyBatchAsync_v2_ptsz:
        return batch_of<cuMemcpyBatchAsync_v2_params>(params);
    case API_CUDA_cuMemcpy3DBatchAsync:
    case API_CUDA_cuMemcpy3DBatchAsync_ptsz:
    case API_CUDA_cuMemcpy3DBatchAsync_v2:
    case API_CUDA_cuMemcpy3DBatchAsync_v2_ptsz:
#endif
    case API_CUDA_cuMemcpyHtoA_v2:
    case API_CUDA_cuMemcpyHtoA_v2_ptds:
    case API_CUDA_cuMemcpyHtoAAsync_v2:
    case API_CUDA_cuMemcpyHtoAAsync_v2_ptsz:
    case API_CUDA_cuMemcpyAtoH_v2:
    case API_CUDA_cuMemcpyAtoH_v2_ptds:
    case API_CUDA_cuMemcpyAtoHAsync_v2:
    case API_CUDA_cuMemcpyAtoHAsync_v2_ptsz:
    case API_CUDA_cuMemcpyDtoA_v2:
    case API_CUDA_cuMemcpyDtoA_v2_ptds:
    case API_CUDA_cuMemcpyAtoD_v2:
    case API_CUDA_cuMemcpyAtoD_v2_ptds:
    case API_CUDA_cuMemcpyAtoA_v2:
    case API_CUDA_cuMemcpyAtoA_v2_ptds:
        return of_kind(Event::UNKNOWN_COPY);
    default:
        return memset_event_of(cbid, params);
    }
}

std::string hex(uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, address);
    return text;
}

std::string place(const Event::End &end)
{
    return end.type == CU_MEMORYTYPE_ARRAY ? "array" : hex(end.address);
}

// "NAME=A,B".
std::string pair(const char *name, uint64_t a, uint64_t b)
{
    return std::string(" ") + name + "=" + std::to_string(a) + "," + std::to_string(b);
}

std::string number(const char *name, uint64_t value)
{
    return std::string(" ") + name + "=" + std::to_string(value);
}

} // namespace

Event copy_event_of(nvbit_api_cuda_t cbid, void *params)
{
    switch (cbid) {
    case API_CUDA_cuMemcpyHtoD_v2:
    case API_CUDA_cuMemcpyHtoD_v2_ptds:
        return copy_to_device<cuMemcpyHtoD_v2_params>(params);
    case API_CUDA_cuMemcpyHtoDAsync_v2:
    case API_CUDA_cuMemcpyHtoDAsync_v2_ptsz:
        return in_stream<cuMemcpyHtoDAsync_v2_params>(
            copy_to_device<cuMemcpyHtoDAsync_v2_params>(params), params);
    case API_CUDA_cuMemcpyDtoH_v2:
    case API_CUDA_cuMemcpyDtoH_v2_ptds:
        return copy_to_host<cuMemcpyDtoH_v2_params>(params);
    case API_CUDA_cuMemcpyDtoHAsync_v2:
    case API_CUDA_cuMemcpyDtoHAsync_v2_ptsz:
        return in_stream<cuMemcpyDtoHAsync_v2_params>(
            copy_to_host<cuMemcpyDtoHAsync_v2_params>(params), params);
    case API_CUDA_cuMemcpyDtoD_v2:
    case API_CUDA_cuMemcpyDtoD_v2_ptds:
        return copy_on_device<cuMemcpyDtoD_v2_params>(params);
    case API_CUDA_cuMemcpyDtoDAsync_v2:
    case API_CUDA_cuMemcpyDtoDAsync_v2_ptsz:
        return in_stream<cuMemcpyDtoDAsync_v2_params>(
            copy_on_device<cuMemcpyDtoDAsync_v2_params>(params), params);
    case API_CUDA_cuMemcpyPeer:
    case API_CUDA_cuMemcpyPeer_ptds:
        return copy_on_device<cuMemcpyPeer_params>(params);
    case API_CUDA_cuMemcpyPeerAsync:
    case API_CUDA_cuMemcpyPeerAsync_ptsz:
        return in_stream<cuMemcpyPeerAsync_params>(
            copy_on_device<cuMemcpyPeerAsync_params>(params), params);
    case API_CUDA_cuMemcpy:
    case API_CUDA_cuMemcpy_ptds:
        return copy_anywhere<cuMemcpy_params>(params);
    case API_CUDA_cuMemcpyAsync:
    case API_CUDA_cuMemcpyAsync_ptsz:
        return in_stream<cuMemcpyAsync_params>(copy_anywhere<cuMemcpyAsync_params>(params),
                                               params);
    default:
        return shaped_event_of(cbid, params);
    }
}

Event copy_event_of(const CUDA_MEMCPY3D &copy)
{
    return copy_3d(&copy);
}

Event set_event_of(const CUDA_MEMSET_NODE_PARAMS &set)
{
    return set_rows(set.dst, set.width * set.elementSize, set.height, set.pitch);
}

Event find_direction(const Event &event, bool in_graph)
{
    Event found = event;
    if (event.kind != Event::COPY_ON)
        return event;
    const CUmemorytype to = find_memory(event.to.type, event.address, in_graph),
                       from = find_memory(event.from.type, event.source, in_graph);
    const bool down = to == CU_MEMORYTYPE_HOST, up = from == CU_MEMORYTYPE_HOST;
    if (!down && !(up && to == CU_MEMORYTYPE_DEVICE))
        return event;
    found.kind = up && down ? Event::OTHER : Event::COPY;
    found.to_host = down;
    found.address = down ? event.source : event.address;
    return found;
}

std::string describe_copy(const Event &event)
{
    std::string text;
    switch (event.kind) {
    case Event::SET:
        text = "# set " + hex(event.address) + " " + std::to_string(event.bytes);
        return event.rows <= 1 ? text
                               : text + number("row", event.row) + number("rows", event.rows) +
                                     number("pitch", event.to.pitch);
    case Event::ROWS:
        return "# copy to " + place(event.to) + " from " + place(event.from) + " " +
               std::to_string(event.bytes) + number("row", event.row) +
               pair("rows", event.rows, event.planes) +
               pair("pitch", event.to.pitch, event.from.pitch) +
               pair("plane", event.to.plane, event.from.plane);
    default:
        return "# copy to " + hex(event.address) + " from " + hex(event.source) + " " +
               std::to_string(event.bytes);
    }
}

Event copy_of_batch(const Event &event, size_t i)
{
    return copy_between(CU_MEMORYTYPE_UNIFIED, event.batch.to[i], event.batch.from[i],
                        event.batch.bytes[i]);
}
