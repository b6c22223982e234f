// Copies and memsets of CUDA graphs: they happen when a graph is launched.
#ifndef HEARTH_TRACER_GRAPHS_H
#define HEARTH_TRACER_GRAPHS_H

#include <map>
#include <vector>

#include "tracer/nvbit/events.h"

class Graphs
{
  public:
    // EXEC has been made of GRAPH, or is as GRAPH from now on.
    void set(CUgraphExec exec, CUgraph graph);
    // In EXEC, the copy or memset of NODE is EVENT from now on.
    void change(CUgraphExec exec, CUgraphNode node, const Event &event);

    // EXEC is being launched.
    void begin(CUgraphExec exec);
    // Its next kernel starts. Returns the copies and memsets that were added to the graph after
    // the kernel before, and before this one. PROGRAMMATIC as in Event.
    std::vector<Event> next_kernel(int &programmatic);
    // Returns what is left.
    std::vector<Event> end();

  private:
    struct Item {
        CUgraphNode node;
        size_t kernels; // that were added before it
        Event event;
    };
    struct Contents {
        std::vector<Item> items;
        std::vector<int> programmatic; // of each kernel, as in Event
        CUgraphNode last = nullptr;    // the last kernel, or nullptr if something follows it
    };
    static void add(Contents &contents, CUgraph graph);
    std::vector<Event> take(size_t started);

    std::map<CUgraphExec, Contents> known;
    Contents now; // of the one that is being launched
    size_t kernels = 0, taken = 0;
};

#endif
