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

} // namespace

void Graphs::add(Items &items, CUgraph graph, size_t &kernels)
{
    for (CUgraphNode node : nodes_of(graph)) {
        CUgraphNodeType type;
        CUgraph child;
        if (cuGraphNodeGetType(node, &type) != CUDA_SUCCESS)
            continue;
        if (type == CU_GRAPH_NODE_TYPE_KERNEL)
            kernels++;
        else if (type == CU_GRAPH_NODE_TYPE_MEMCPY)
            items.push_back({node, kernels, copy_of_node(node)});
        else if (type == CU_GRAPH_NODE_TYPE_MEMSET)
            items.push_back({node, kernels, set_of_node(node)});
        else if (type == CU_GRAPH_NODE_TYPE_GRAPH &&
                 cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS)
            add(items, child, kernels);
    }
}

void Graphs::set(CUgraphExec exec, CUgraph graph)
{
    Items items;
    size_t count = 0;
    add(items, graph, count);
    known[exec] = items;
}

void Graphs::change(CUgraphExec exec, CUgraphNode node, const Event &event)
{
    for (Item &item : known[exec])
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
    for (; taken < now.size() && now[taken].kernels <= started; taken++)
        if (now[taken].event.kind != Event::OTHER)
            events.push_back(now[taken].event);
    return events;
}

std::vector<Event> Graphs::next_kernel()
{
    return take(kernels++);
}

std::vector<Event> Graphs::end()
{
    return take(SIZE_MAX);
}
