/* console and progress. Lines are kept here until a tick, a return to the host or 16 KiB:
 * a crossing a line would cost more than the line. The caps are counted here too, so that a
 * flood costs the host nothing.
 *
 * A record: level, length (4 bytes), the arguments as one MessagePack array.
 */

enum { LOG_PLAIN = 0, LOG_INFO = 1, LOG_WARN = 2, LOG_ERROR = 3 };

#define LOG_FLUSH_BYTES 16384
#define LOG_RECORD_HEADER 5
#define PROGRESS_MAX 1000
#define PROGRESS_INTERVAL_MS 100
#define PROGRESS_TEXT_UNITS 500

static uint8_t *log_buffer;
static size_t log_cap;

static void flush_logs(void)
{
    if (shared.log_len)
        host_post(POST_LOGS, log_buffer, shared.log_len);
    shared.log_len = 0;
    shared.flush = 0;
}

static int log_bytes(JSContext *ctx, uint8_t level, const uint8_t *bytes, size_t len)
{
    size_t need = shared.log_len + LOG_RECORD_HEADER + len;
    if (need > log_cap) {
        uint8_t *grown = js_realloc(ctx, log_buffer, need + 1024);
        if (!grown)
            return -1;
        log_buffer = grown;
        log_cap = need + 1024;
        shared.log_ptr = (uint32_t)(uintptr_t)log_buffer;
    }
    log_buffer[shared.log_len] = level;
    put_u32(log_buffer + shared.log_len + 1, len);
    memcpy(log_buffer + shared.log_len + LOG_RECORD_HEADER, bytes, len);
    shared.log_len = need;
    shared.log_lines++;
    shared.log_bytes += len;
    if (shared.log_len >= LOG_FLUSH_BYTES || shared.flush)
        flush_logs();
    return 0;
}

/* An argument that cannot be read (its getter throws) is logged as String() gives it. */
static int log_argument(Out *o, JSValueConst v)
{
    JSContext *ctx = o->ctx;
    size_t start = o->len;
    JSValue text;
    int r;
    if (!out_member(o, v))
        return 0;
    if (shared.stop)
        return -1;
    JS_FreeValue(ctx, JS_GetException(ctx));
    o->len = start;
    o->depth = 0;
    text = JS_ToString(ctx, v);
    if (JS_IsException(text)) {
        if (shared.stop)
            return -1;
        JS_FreeValue(ctx, JS_GetException(ctx));
        return out_ascii(o, "[unreadable]");
    }
    r = out_value(o, text);
    JS_FreeValue(ctx, text);
    return r;
}

static int log_values(JSContext *ctx, uint8_t level, int argc, JSValueConst *argv)
{
    Out o;
    size_t at;
    int i, r;
    if (shared.stop) { /* the engine may have dropped the interrupt: nothing leaves after the end */
        JS_ThrowInterrupted(ctx);
        return -1;
    }
    if (shared.log_lines >= shared.log_lines_max || shared.log_bytes >= shared.log_bytes_max) {
        shared.log_dropped++;
        return 0;
    }
    init_call(&o, ctx, "console", false);
    o.max_bytes = shared.log_bytes_max - shared.log_bytes;
    o.max_depth = shared.result_depth;
    o.cutting = o.marking = o.logging = true;
    r = out_open(&o, 0xdd, &at);
    for (i = 0; !r && i < argc && !o.cut; i++)
        r = log_argument(&o, argv[i]);
    if (!r) {
        out_close(&o, at, i);
        shared.log_cut += o.cut;
        r = log_bytes(ctx, level, o.bytes, o.len);
    }
    out_free(&o);
    return r;
}

static JSValue native_log(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int level)
{
    if (!log_values(ctx, level, argc, argv))
        return JS_UNDEFINED;
    if (shared.stop || shared.heap_exhausted)
        return JS_EXCEPTION;
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_UNDEFINED;
}

/* A line of ours among the program's. */
static void log_warning(JSContext *ctx, const char *before, JSValueConst value)
{
    JSValue text = js_new_string8(ctx, before);
    JSValueConst both[2] = { text, value };
    if (JS_IsException(text) || log_values(ctx, LOG_WARN, JS_IsUndefined(value) ? 1 : 2, both))
        JS_FreeValue(ctx, JS_GetException(ctx));
    JS_FreeValue(ctx, text);
}

static uint32_t progress_sent;
static double progress_last_ms;

static JSValue native_progress(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    Out o;
    JSValue text = JS_UNDEFINED;
    double percent = 0, now;
    int r;
    if (shared.stop) {
        JS_ThrowInterrupted(ctx);
        return JS_EXCEPTION;
    }
    if (progress_sent >= PROGRESS_MAX)
        return JS_UNDEFINED;
    now = now_ms();
    if (progress_sent && now - progress_last_ms < PROGRESS_INTERVAL_MS && now >= progress_last_ms)
        return JS_UNDEFINED;
    if (argc > 0 && JS_ToFloat64(ctx, &percent, argv[0])) {
        if (shared.stop)
            return JS_EXCEPTION;
        JS_FreeValue(ctx, JS_GetException(ctx)); /* progress never throws */
        percent = 0;
    }
    if (!isfinite(percent) || percent < 0)
        percent = 0;
    if (percent > 100)
        percent = 100;
    if (argc > 1 && !JS_IsUndefined(argv[1]) && !JS_IsNull(argv[1])) {
        text = JS_ToString(ctx, argv[1]);
        if (!JS_IsException(text) && text_units(text) > PROGRESS_TEXT_UNITS) {
            JSValue whole = text;
            JSString *flat = JS_VALUE_GET_TAG(whole) == JS_TAG_STRING ? JS_VALUE_GET_STRING(whole) : NULL;
            if (!flat) {
                whole = js_linearize_string_rope(ctx, whole);
                flat = JS_IsException(whole) ? NULL : JS_VALUE_GET_STRING(whole);
            }
            text = flat ? js_sub_string(ctx, flat, 0, PROGRESS_TEXT_UNITS) : JS_EXCEPTION;
            JS_FreeValue(ctx, whole);
        }
        if (JS_IsException(text)) {
            if (shared.stop)
                return JS_EXCEPTION;
            JS_FreeValue(ctx, JS_GetException(ctx));
            text = JS_UNDEFINED;
        }
    }
    init_call(&o, ctx, "progress", false);
    r = out_byte(&o, 0x92) || out_double(&o, percent) || out_value(&o, text);
    if (!r) {
        progress_sent++;
        progress_last_ms = now;
        host_post(POST_PROGRESS, o.bytes, o.len);
    }
    out_free(&o);
    JS_FreeValue(ctx, text);
    if (r) {
        if (shared.stop)
            return JS_EXCEPTION;
        JS_FreeValue(ctx, JS_GetException(ctx));
    }
    return JS_UNDEFINED;
}
