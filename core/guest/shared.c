/* The words that both sides read and write, at the address that sb_shared gives.
 *
 * The host's copy of this layout is core/src/nodetool_sandbox/_engine/shared.py; a test compares
 * the two by the size and by every offset. All little-endian, as WebAssembly is.
 */

enum { STATUS_WAITING = 1, STATUS_DONE = 2, STATUS_STOPPED = 3 };
enum { STOP_NONE = 0, STOP_DEADLINE = 1, STOP_CANCELLED = 2, STOP_STEPS = 3 };

typedef struct {
    /* written by the host */
    uint32_t stop;            /* not 0: no guest code may run any more; why */
    uint32_t tick;            /* set at every epoch tick: the clock is stale */
    uint32_t flush;           /* set at every epoch tick: logs want to be seen */
    uint32_t heap_limit;      /* bytes; 0: none (while the image is baked) */
    uint32_t stack_limit;     /* bytes of shadow stack */
    uint64_t max_steps;       /* 0: no budget */
    uint32_t modules;         /* 1: imports are asked of the host; 0: every import is denied */
    uint32_t result_bytes;    /* wire bytes of the result, past which it is cut */
    uint32_t result_binary;   /* bytes of binary data in the result */
    uint32_t result_depth;    /* containers within containers */
    uint32_t call_bytes;      /* wire bytes of one call's arguments */
    uint32_t call_depth;
    uint32_t pending_max;     /* unanswered calls at once */
    uint32_t calls_max;       /* calls in the whole run */
    uint32_t log_lines_max;
    uint32_t log_bytes_max;
    uint32_t powers;          /* which powers this run was given, by their bits */
    /* written by the guest */
    uint32_t calls;           /* calls made so far */
    uint32_t pending;         /* unanswered calls now */
    uint64_t steps;           /* polls so far */
    uint32_t heap_used;
    uint32_t heap_peak;
    uint32_t heap_exhausted;  /* an allocation was refused at some time */
    uint32_t rejections;      /* promises rejected with nobody listening */
    uint32_t log_ptr;         /* log records that were not posted yet */
    uint32_t log_len;
    uint32_t log_lines;       /* lines taken so far */
    uint32_t log_bytes;
    uint32_t log_dropped;     /* lines over the caps */
    uint32_t log_cut;         /* lines that were shortened */
    uint32_t out_ptr;         /* the outcome, once the status is DONE */
    uint32_t out_len;
    int32_t stop_line;        /* where the program was when it was stopped; 0: unknown */
    int32_t stop_column;
    uint32_t inbox_ptr;       /* a buffer for messages that fit */
    uint32_t inbox_len;
} Shared;

#define INBOX_BYTES 65536
static uint8_t inbox[INBOX_BYTES];

static Shared shared = {
    .inbox_len = INBOX_BYTES,
};

static JSRuntime *guest_rt;
static JSContext *guest_ctx;
static JSAtom user_code_atom; /* "user-code", the file name of the program */
