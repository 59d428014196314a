/* The imports: these functions and no other (tests/contracts/guest_imports.txt). */

#define IMPORT(name) __attribute__((import_module("sandbox"), import_name(name)))

enum { POST_LOGS = 1, POST_PROGRESS = 2, POST_CALL = 3 };

/* One way: the host copies the bytes and answers nothing. */
IMPORT("post") void host_post(uint32_t kind, const void *bytes, uint32_t len);
/* A synchronous call. Returns the length of the reply, which is in `out` when it fits; else the
   host keeps it, and a second call with len 0 and a large enough `out` fetches it. */
IMPORT("call") int32_t host_call(const void *bytes, uint32_t len, void *out, uint32_t cap);
/* The id that a module's name stands for, or minus the length of the refusal. */
IMPORT("normalize") int32_t host_normalize(const void *base, uint32_t base_len, const void *name,
                                           uint32_t name_len, void *out, uint32_t cap);
/* A module's source, as `call` gives its reply. Negative: there is none. */
IMPORT("load") int32_t host_load(const void *id, uint32_t len, void *out, uint32_t cap);
/* Milliseconds since 1970-01-01 UTC. */
IMPORT("clock") double host_clock(void);
IMPORT("random") void host_random(void *out, uint32_t len);

static double clock_ms;

/* A crossing costs some microseconds, a program may read the clock a million times a second, and
   timers finer than a millisecond help side channels: ask once a tick. */
static double now_ms(void)
{
    if (shared.tick || clock_ms == 0) {
        clock_ms = floor(host_clock());
        shared.tick = 0;
    }
    return clock_ms;
}

/* wasi-libc reaches the outside through functions of these names. Defined here, they are not
   imported: no file, no environment, no exit. */

#define WASI(name) __imported_wasi_snapshot_preview1_##name
enum { WASI_ERRNO_NOSYS = 52, WASI_ERRNO_BADF = 8 };

int32_t WASI(clock_time_get)(int32_t id, int64_t precision, int32_t out)
{
    (void)id;
    (void)precision;
    *(uint64_t *)(uintptr_t)out = (uint64_t)(now_ms() * 1e6);
    return 0;
}

int32_t WASI(clock_res_get)(int32_t id, int32_t out)
{
    (void)id;
    *(uint64_t *)(uintptr_t)out = 1000000;
    return 0;
}

int32_t WASI(fd_write)(int32_t fd, int32_t iovs, int32_t n, int32_t written)
{
    (void)fd;
    (void)iovs;
    (void)n;
    *(uint32_t *)(uintptr_t)written = 0;
    return WASI_ERRNO_BADF;
}

int32_t WASI(fd_read)(int32_t fd, int32_t iovs, int32_t n, int32_t got)
{
    (void)fd;
    (void)iovs;
    (void)n;
    *(uint32_t *)(uintptr_t)got = 0;
    return WASI_ERRNO_BADF;
}

int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t out)
{
    (void)fd;
    (void)offset;
    (void)whence;
    (void)out;
    return WASI_ERRNO_BADF;
}

int32_t WASI(fd_close)(int32_t fd)
{
    (void)fd;
    return WASI_ERRNO_BADF;
}

int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t out)
{
    (void)fd;
    (void)out;
    return WASI_ERRNO_BADF;
}

int32_t WASI(random_get)(int32_t out, int32_t len)
{
    memset((void *)(uintptr_t)out, 0, len);
    return WASI_ERRNO_NOSYS;
}

int close(int fd)
{
    (void)fd;
    return -1;
}

_Noreturn void WASI(proc_exit)(int32_t code)
{
    (void)code;
    __builtin_trap();
}
