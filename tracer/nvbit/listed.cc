#include "tracer/nvbit/listed.h"

#include "tracer/nvbit/copies.h"

namespace
{

void say_once(const std::string &what)
{
    if (tool.missing.insert(what).second && tool.options.quiet == 0)
        fprintf(stderr, "hearth tracer: %s\n", what.c_str());
}

void add_note(const Context &context, const std::string &text)
{
    traced([&](error *err) {
        return tracer_note(tool.target, context.number, text.c_str(), err);
    });
}

void list_copy(const Context &context, const Event &event)
{
    traced([&](error *err) {
        return tracer_copy(tool.target, context.number, event.to_host, event.address,
                           event.bytes, err);
    });
}

void list_managed(const Context &context, const Event &event)
{
    char text[64];
    snprintf(text, sizeof text, "# managed 0x%016llx %llu",
             static_cast<unsigned long long>(event.address),
             static_cast<unsigned long long>(event.bytes));
    add_note(context, text);
    say_once("managed memory: accesses of the host to it, and what they move, are not in the "
             "traces");
}

// EVENT, whose direction is known if it can be.
void list_known(Context &context, const Event &event)
{
    switch (event.kind) {
    case Event::OTHER: // from host to host
        break;
    case Event::COPY:
        list_copy(context, event);
        break;
    case Event::MANAGED:
        list_managed(context, event);
        break;
    case Event::TENSOR_TILED:
    case Event::TENSOR_IM2COL:
        add_note(context, context.maps.add(event));
        break;
    default: // what the format has no line for becomes a comment
        add_note(context, describe_copy(event));
        break;
    }
}

} // namespace

void list_event(Context &context, const Event &event)
{
    if (event.kind != Event::BATCH)
        list_known(context, find_direction(event, false));
    for (size_t i = 0; event.kind == Event::BATCH && i < event.batch.count; i++)
        list_known(context, find_direction(copy_of_batch(event, i), false));
}

void list_events(Context &context, const std::vector<Event> &events)
{
    for (const Event &event : events)
        list_known(context, find_direction(event, true));
}

std::string list_maps(Context &context, const Event &event)
{
    std::string text;
    for (const Parameter &parameter : parameters_of(event)) {
        std::vector<std::string> lines;
        context.maps.find(parameter, lines, text);
        for (const std::string &line : lines)
            add_note(context, line);
    }
    return text;
}

void say_what_is_missing(const Event &event, const char *name)
{
    const char *what = event.kind == Event::UNKNOWN_LAUNCH ? "launches" : "copies";
    say_once(std::string(name) + ": such " + what + " are not in the traces");
}
