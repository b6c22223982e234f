/* What the model can be built as. */
#include "sim/core/modern/core.h"

/* The constants of gpgpu_smem_latency and gpgpu_l1_latency count from where GPGPU-Sim's
 * load/store unit takes an instruction; here less is left after the hand-over, as generation of
 * addresses comes before it. */
#define SHARED_BEFORE 5
#define L1_BEFORE     8

/* A dependent instruction issues so many cycles later than the latency says (docs/model.md). */
#define AFTER_LATENCY 5

static uint32_t rest_of(uint32_t latency, uint32_t before)
{
    return latency > before ? latency - before : 1;
}

/* Cycles from the issue of a SYNCS until the shared unit takes it. */
#define SYNCS_BEFORE 9

static void set_async(const struct sim_config *config, struct async_spec *async)
{
    const struct sim_options *options = &config->options;
    *async = (struct async_spec){
        .matrix_rate = options->hearth_wgmma_rate,
        .matrix_rest = options->hearth_wgmma_latency,
        .matrix_overlap = options->hearth_wgmma_overlap,
        .matrix_queue = options->hearth_wgmma_queue,
        .answer = options->hearth_mbarrier_answer,
        .cluster = options->hearth_cluster_latency,
        .cluster_barrier = options->hearth_cluster_barrier != 0
                               ? options->hearth_cluster_barrier
                               : options->hearth_cluster_latency,
        .copy_interval = options->hearth_tma_interval,
        .copy_latency = options->hearth_tma_latency,
        .copy_bytes = options->hearth_tma_bytes,
        .copy_map = options->hearth_tma_map,
        .copy_store = options->hearth_tma_store,
        .store_sectors = options->hearth_tma_store_bytes / SECTOR_BYTES,
        .copy_sectors = options->hearth_tma_sectors,
        .copy_flight = options->hearth_tma_flight ? options->hearth_tma_flight : UINT32_MAX,
        .copy_start = options->hearth_tma_start,
        .cluster_bytes = options->hearth_cluster_bytes,
        .named = options->hearth_named_latency,
        .pause = (uint32_t)(config->core_mhz * options->hearth_sleep / 100),
    };
    if (options->hearth_mbarrier_latency != 0)
        async->barrier = rest_of(options->hearth_mbarrier_latency, SYNCS_BEFORE);
}

void modern_specify_waits(const struct sim_options *options, struct modern_spec *spec)
{
    spec->branch = options->hearth_branch_latency;
    spec->late_fetch = options->hearth_branch_late_fetch;
    spec->indirect = options->hearth_indirect_latency;
    spec->indirect_parts = options->hearth_indirect_divergence;
    spec->reconvergence = options->hearth_reconvergence_latency;
    spec->wide = options->hearth_wide_latency;
    spec->membar[0] = options->hearth_membar_cta_latency;
    spec->membar[1] = options->hearth_membar_gpu_latency;
    spec->membar[2] = options->hearth_membar_sys_latency;
}

int modern_specify(const struct sm_spec *spec, void *data, struct error *err)
{
    const struct sim_options *options = &spec->config->options;
    struct modern_spec *own = data;
    uint32_t l1_rest = rest_of(spec->l1_latency, L1_BEFORE);
    own->halves = spec->config->units[TRACE_UNIT_FP32].initiation == 1;
    own->read_ports = options->hearth_read_ports;
    own->reuse = options->hearth_reuse_cache;
    own->write_ports = options->hearth_write_ports;
    own->buffer = options->hearth_instruction_buffer;
    modern_specify_waits(options, own);
    own->barrier = options->hearth_barrier_latency;
    own->barrier_interval = options->hearth_barrier_interval;
    own->constant = options->hearth_const_latency + AFTER_LATENCY;
    own->constant_word = options->hearth_const_word_interval;
    own->memory_turns = options->hearth_memory_turns;
    own->mio = (struct mio_spec){
        .places = options->hearth_memory_queue,
        .interval = options->hearth_address_interval,
        .constant = options->hearth_const_interval,
        .port = options->hearth_l1_port != 0 ? options->hearth_l1_port / SECTOR_BYTES
                                             : spec->port_sectors,
        .stores_max =
            options->hearth_stores_in_flight ? options->hearth_stores_in_flight : UINT32_MAX,
        .long_load =
            options->hearth_shared_long_load ? options->hearth_shared_long_load : UINT32_MAX,
        .l1_long_load =
            options->hearth_l1_long_load ? options->hearth_l1_long_load : UINT32_MAX,
        .store_merge = options->hearth_store_merge,
        .store_port = options->hearth_store_port,
        .store_buffer = options->hearth_store_buffer,
        .shared_rest = rest_of(spec->shared_latency, SHARED_BEFORE),
        .l1_lookup = l1_rest,
    };
    if (options->hearth_l1_lookup_latency != 0 && options->hearth_l1_lookup_latency < l1_rest)
        own->mio.l1_lookup = options->hearth_l1_lookup_latency;
    own->mio.l1_hit = l1_rest - own->mio.l1_lookup;
    set_async(spec->config, &own->async);
    return 0;
}

/* Misses of L1, and sectors past L1, as many each as the port of the load/store unit takes;
 * beside them copies of tensors and requests for code. */
uint32_t modern_sends(const struct sm_spec *spec)
{
    const struct modern_spec *own = spec->own;
    uint32_t copies = own->async.copy_sectors, stores = own->async.store_sectors;
    uint32_t most = copies > stores ? copies : stores;
    uint32_t sends =
        2 * own->mio.port + (most < spec->port_sectors ? most : spec->port_sectors);
    return spec->code.l2_latency != 0 ? sends + spec->port_sectors : sends;
}
