/* The memory cap: everything that the engine allocates comes through here, strings and typed
 * arrays too. A refused allocation is a NULL that the engine turns into `out of memory`; the
 * host's limit on linear memory stands a little above it. */

/* What the shim may use past the cap to say that the cap was reached. */
#define HEAP_RESERVE (1u << 20)
#define HEAP_BLOCK_OVERHEAD 8

static bool heap_reserve_open;

static bool heap_refuses(size_t more)
{
    size_t limit = shared.heap_limit;
    if (limit == 0)
        return false; /* while baking */
    if (heap_reserve_open)
        limit += HEAP_RESERVE;
    if (more <= limit && shared.heap_used <= limit - more)
        return false;
    shared.heap_exhausted = 1;
    return true;
}

static void *heap_took(void *block)
{
    if (!block) {
        shared.heap_exhausted = 1;
        return NULL;
    }
    shared.heap_used += malloc_usable_size(block) + HEAP_BLOCK_OVERHEAD;
    if (shared.heap_used > shared.heap_peak)
        shared.heap_peak = shared.heap_used;
    return block;
}

static void *heap_malloc(void *opaque, size_t size)
{
    (void)opaque;
    return heap_refuses(size) ? NULL : heap_took(malloc(size));
}

static void *heap_calloc(void *opaque, size_t count, size_t size)
{
    size_t total;
    (void)opaque;
    if (__builtin_mul_overflow(count, size, &total) || heap_refuses(total))
        return NULL;
    return heap_took(calloc(count, size));
}

static void heap_free(void *opaque, void *block)
{
    (void)opaque;
    if (!block)
        return;
    shared.heap_used -= malloc_usable_size(block) + HEAP_BLOCK_OVERHEAD;
    free(block);
}

static void *heap_realloc(void *opaque, void *block, size_t size)
{
    size_t before;
    void *grown;
    (void)opaque;
    if (!block)
        return heap_malloc(opaque, size);
    before = malloc_usable_size(block);
    if (size > before && heap_refuses(size - before))
        return NULL;
    grown = realloc(block, size);
    if (!grown) {
        shared.heap_exhausted = 1;
        return NULL;
    }
    shared.heap_used -= before + HEAP_BLOCK_OVERHEAD;
    return heap_took(grown);
}

static size_t heap_usable(const void *block)
{
    return malloc_usable_size((void *)block);
}

static const JSMallocFunctions heap_functions = {
    heap_calloc, heap_malloc, heap_free, heap_realloc, heap_usable,
};
