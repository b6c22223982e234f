#include "tracer/nvbit/graphs.h"

#include "tracer/nvbit/copies.h"

namespace
{

std::vector<CUgraphNode> nodes_of(CUgraph graph)
{
    size_t count = 0;
    if (cuGraphGetNodes(graph, nullptr, &count) != CUDA_SUCCESS)
        return {};
    std::vector<CUgraphNode> nodes(count);
    if (cuGraphGetNodes(graph, nodes.data(), &count) != CUDA_SUCCESS)
        count = 0;
    nodes.resize(count);
    return nodes;
}

Event copy_of_node(CUgraphNode node)
{
    CUDA_MEMCPY3D copy = {};
    return cuGraphMemcpyNodeGetParams(node, &copy) == CUDA_SUCCESS ? copy_event_of(copy)
                                                                   : Event();
}

Event set_of_node(CUgraphNode node)
{
    CUDA_MEMSET_NODE_PARAMS set = {};
    return cuGraphMemsetNodeGetParams(node, &set) == CUDA_SUCCESS ? set_event_of(set) : Event();
}

// Whether the kernel NODE depends on BEFORE, the kernel before it, and on nothing else, by an
// edge that lets it begin before the end of that: as Event has it; -1: it has no such edge.
int programmatic_of(CUgraphNode node, CUgraphNode before)
{
    int found = -1;
#if HAS_GRAPH_EDGES
    size_t count = 0;
    if (cuGraphNodeGetDependencies_v2(node, nullptr, nullptr, &count) != CUDA_SUCCESS)
        return -1;
    std::vector<CUgraphNode> nodes(count);
    std::vector<CUgraphEdgeData> edges(count);
    if (count == 0 ||
        cuGraphNodeGetDependencies_v2(node, nodes.data(), edges.data(), &count) != CUDA_SUCCESS)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (edges[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
            found = count == 1 && nodes[i] == before;
#else
    static_cast<void>(node), static_cast<void>(before);
#endif
    return found;
}

} // namespace

void Graphs::add(Contents &contents, CUgraph graph)
{
    for (CUgraphNode node : nodes_of(graph)) {
        CUgraphNodeType type;
        CUgraph child;
        const size_t kernels = contents.programmatic.size();
        if (cuGraphNodeGetType(node, &type) != CUDA_SUCCESS)
            continue;
        if (type == CU_GRAPH_NODE_TYPE_KERNEL)
            contents.programmatic.push_back(programmatic_of(node, contents.last));
        else if (type == CU_GRAPH_NODE_TYPE_MEMCPY)
            contents.items.push_back({node, kernels, copy_of_node(node)});
        else if (type == CU_GRAPH_NODE_TYPE_MEMSET)
            contents.items.push_back({node, kernels, set_of_node(node)});
        else if (type == CU_GRAPH_NODE_TYPE_GRAPH &&
                 cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS)
            add(contents, child);
        contents.last = type == CU_GRAPH_NODE_TYPE_KERNEL ? node : nullptr;
    }
}

void Graphs::set(CUgraphExec exec, CUgraph graph)
{
    Contents contents;
    add(contents, graph);
    known[exec] = contents;
}

void Graphs::change(CUgraphExec exec, CUgraphNode node, const Event &event)
{
    for (Item &item : known[exec].items)
        if (item.node == node)
            item.event = event;
}

void Graphs::begin(CUgraphExec exec)
{
    now = known[exec];
    kernels = taken = 0;
}

std::vector<Event> Graphs::take(size_t started)
{
    std::vector<Event> events;
    for (; taken < now.items.size() && now.items[taken].kernels <= started; taken++)
        if (now.items[taken].event.kind != Event::OTHER)
            events.push_back(now.items[taken].event);
    return events;
}

std::vector<Event> Graphs::next_kernel(int &programmatic)
{
    programmatic = kernels < now.programmatic.size() ? now.programmatic[kernels] : -1;
    return take(kernels++);
}

std::vector<Event> Graphs::end()
{
    return take(SIZE_MAX);
}
