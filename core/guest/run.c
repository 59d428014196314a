/* The exports. bake() makes the guest that every run starts as a copy of; run() starts the
 * program and settle() brings replies, each going on until nothing can move without the host.
 */

#define EXPORT(name) __attribute__((export_name(name)))

#define ERROR_BYTES (64 * 1024)   /* of an error's name, message and stack together */
#define REJECTIONS_MAX 256        /* remembered, so that a late handler can take one back */
#define SYNC_BYTES (64u << 20)

static JSModuleDef *entry_module;
static JSValue entry_promise;
static JSValue sync_names; /* an array of the globals that go back, or undefined */

static struct {
    JSValue promise, reason;
} rejections[REJECTIONS_MAX];
static uint32_t rejections_len, rejections_more;

/* Room for a message that does not fit the inbox, in place of the last; 0: the memory cap is reached. */
EXPORT("sb_alloc") void *sb_alloc(uint32_t len)
{
    static void *last;
    heap_free(NULL, last);
    last = len ? heap_malloc(NULL, len) : NULL;
    return last;
}

#define SHAPE_HASH_BITS_MAX 22

/* The engine lets its table of shapes grow where it makes the first shape of a prototype, and not where an
   object gets a property: while one empty object lives, every new set of names makes a chain longer, and a
   program that makes n of them takes n squared. */
static void keep_shapes_quick(JSRuntime *rt)
{
    int bits = rt->shape_hash_bits;
    size_t bytes;
    while (bits < SHAPE_HASH_BITS_MAX && 2 * (rt->shape_hash_count + 1) > 1 << bits)
        bits++;
    bytes = sizeof(rt->shape_hash[0]) << bits;
    if (bits > rt->shape_hash_bits && (!shared.heap_limit || shared.heap_used + bytes < shared.heap_limit))
        resize_shape_hash(rt, bits);
}

static int on_interrupt(JSRuntime *rt, void *opaque)
{
    JSContext *ctx = guest_ctx;
    /* The interpreter resets its counter before it asks; a regular expression does not. */
    static uint32_t quota = JS_INTERRUPT_COUNTER_INIT;
    if (ctx->interrupt_counter == JS_INTERRUPT_COUNTER_INIT) {
        shared.steps += quota;
        quota = JS_INTERRUPT_COUNTER_INIT;
        if (shared.max_steps && shared.steps < shared.max_steps &&
            shared.max_steps - shared.steps < JS_INTERRUPT_COUNTER_INIT) {
            quota = shared.max_steps - shared.steps;
            ctx->interrupt_counter = quota;
        }
    } else {
        shared.steps += JS_INTERRUPT_COUNTER_INIT;
    }
    keep_shapes_quick(rt);
    if (!shared.stop && shared.max_steps && shared.steps >= shared.max_steps)
        shared.stop = STOP_STEPS;
    if (shared.flush)
        flush_logs();
    if (shared.stop && !shared.stop_line)
        user_position(&shared.stop_line, &shared.stop_column);
    return shared.stop != STOP_NONE;
}

static void on_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque)
{
    uint32_t i;
    if (!handled) {
        if (rejections_len == REJECTIONS_MAX) {
            rejections_more++;
            return;
        }
        rejections[rejections_len].promise = js_dup(promise);
        rejections[rejections_len++].reason = js_dup(reason);
        return;
    }
    for (i = 0; i < rejections_len; i++) {
        if (JS_VALUE_GET_OBJ(rejections[i].promise) != JS_VALUE_GET_OBJ(promise))
            continue;
        JS_FreeValue(ctx, rejections[i].promise);
        JS_FreeValue(ctx, rejections[i].reason);
        rejections[i] = rejections[--rejections_len];
        return;
    }
    if (rejections_more)
        rejections_more--;
}

static void report_rejections(JSContext *ctx)
{
    uint32_t i;
    shared.rejections += rejections_len + rejections_more;
    for (i = 0; i < rejections_len && !shared.stop; i++)
        log_warning(ctx, "unhandled rejection:", rejections[i].reason);
    rejections_len = 0;
}

/* A property of a thrown value as text. A getter of the program may run, and may throw. */
static JSValue thrown_text(JSContext *ctx, JSValueConst v, JSAtom atom)
{
    JSValue text = data_text(ctx, JS_VALUE_GET_OBJ(v), atom);
    if (!JS_IsUndefined(text))
        return text;
    text = JS_GetProperty(ctx, v, atom);
    if (JS_IsException(text)) {
        if (!shared.stop)
            JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_UNDEFINED;
    }
    if (!JS_IsString(text)) {
        JS_FreeValue(ctx, text);
        return JS_UNDEFINED;
    }
    return text;
}

static bool is_text(JSValueConst v, const char *text)
{
    JSString *s;
    if (JS_VALUE_GET_TAG(v) != JS_TAG_STRING)
        return false;
    s = JS_VALUE_GET_STRING(v);
    return !s->is_wide_char && s->len == strlen(text) && !memcmp(str8(s), text, s->len);
}

/* {name, message, stack} of what was thrown, whatever it is. */
static int out_thrown(Out *o, JSValueConst v)
{
    JSContext *ctx = o->ctx;
    JSValue parts[3] = { JS_UNDEFINED, JS_UNDEFINED, JS_UNDEFINED };
    JSAtom names[3] = { JS_ATOM_name, JS_ATOM_message, JS_ATOM_stack };
    int i, r = 0;
    bool no_memory = JS_IsNull(v) && shared.heap_exhausted;
    if (no_memory) { /* the engine throws null when there is no memory for an error */
        parts[0] = js_new_string8(ctx, "InternalError");
        parts[1] = js_new_string8(ctx, "out of memory");
    } else if (JS_VALUE_GET_TAG(v) == JS_TAG_OBJECT && !is_dropped(v)) {
        parts[0] = thrown_text(ctx, v, JS_ATOM_name);
        parts[1] = thrown_text(ctx, v, JS_ATOM_message);
        parts[2] = error_stack(JS_VALUE_GET_OBJ(v));
    }
    if (is_text(parts[1], "string too long")) {
        /* the engine holds no string of 2^30 characters, whatever the cap */
        JS_FreeValue(ctx, parts[1]);
        parts[1] = js_new_string8(ctx, "out of memory: string too long");
    } else if (shared.heap_exhausted && is_text(parts[1], "Invalid error message")) {
        /* what the engine writes when there was memory for the error and none for its text */
        JS_FreeValue(ctx, parts[1]);
        parts[1] = js_new_string8(ctx, "out of memory");
    }
    if (JS_IsUndefined(parts[1]) && !shared.stop &&
        !(JS_VALUE_GET_TAG(v) == JS_TAG_OBJECT && JS_VALUE_GET_OBJ(v)->class_id == JS_CLASS_ERROR)) {
        if (JS_VALUE_GET_TAG(v) == JS_TAG_SYMBOL)
            parts[1] = js_symbol_toString(ctx, v, 0, NULL);
        else
            parts[1] = JS_ToString(ctx, v);
        if (JS_IsException(parts[1])) {
            if (!shared.stop)
                JS_FreeValue(ctx, JS_GetException(ctx));
            parts[1] = js_new_string8(ctx, "a value that cannot be read was thrown");
        }
    }
    if (out_byte(o, 0x83))
        r = -1;
    for (i = 0; i < 3; i++) {
        JSValue text = JS_IsString(parts[i]) ? parts[i] : js_empty_string(ctx->rt);
        if (!r && (out_atom(o, names[i]) || out_string(o, text)))
            r = -1;
        JS_FreeValue(ctx, text);
    }
    return r;
}

/* The outcome: 0 a value, 1 an error; whether the value was cut; its length; the value; then the
   same three of the globals that go back (0 sent, 1 left as they were). */
static int begin_section(Out *o, size_t *at)
{
    *at = o->len;
    if (out_room(o, 6))
        return -1;
    memset(o->bytes + o->len, 0, 6);
    o->len += 6;
    return 0;
}

static void end_section(Out *o, size_t at, int kind)
{
    o->bytes[at] = kind;
    o->bytes[at + 1] = o->cut;
    put_u32(o->bytes + at + 2, o->len - at - 6);
}

static void init_outcome(Out *o, JSContext *ctx)
{
    init_call(o, ctx, "the result", false);
    o->max_bytes = shared.result_bytes;
    o->max_binary = shared.result_binary;
    o->max_depth = shared.result_depth;
    o->cutting = o->marking = true;
}

static int out_error_section(Out *o, JSValueConst reason)
{
    size_t at, start = o->len;
    uint32_t depth = o->depth;
    o->cut = false;
    o->max_bytes = start - o->binary + ERROR_BYTES;
    if (begin_section(o, &at) || out_thrown(o, reason)) {
        o->depth = depth;
        return -1;
    }
    end_section(o, at, 1);
    return 0;
}

static int out_globals(Out *o, JSContext *ctx)
{
    JSObject *names;
    size_t at, inner;
    uint32_t i;
    if (begin_section(o, &at))
        return -1;
    if (JS_VALUE_GET_TAG(sync_names) != JS_TAG_OBJECT) {
        end_section(o, at, 1);
        return 0;
    }
    names = JS_VALUE_GET_OBJ(sync_names);
    o->what = "a global";
    o->cutting = o->marking = o->cut = false;
    o->refs = o->functions = true;
    o->max_depth = shared.call_depth;
    o->max_bytes = o->max_binary = o->len + SYNC_BYTES;
    o->depth = 0;
    o->containers = 1;
    if (out_open(o, 0xdd, &inner))
        return -1;
    for (i = 0; i < names->u.array.count; i++) {
        /* the property itself: what the program put in its place may be a getter, and is not asked */
        JSAtom atom = JS_ValueToAtom(ctx, names->u.array.u.values[i]);
        JSProperty *pr;
        JSShapeProperty *prs = find_own_property(&pr, JS_VALUE_GET_OBJ(ctx->global_obj), atom);
        JSValue v = prs && (prs->flags & JS_PROP_TMASK) == JS_PROP_NORMAL ? js_dup(pr->u.value) : JS_UNDEFINED;
        int r = out_member(o, v);
        JS_FreeValue(ctx, v);
        JS_FreeAtom(ctx, atom);
        if (r)
            return -1;
    }
    out_close(o, inner, i);
    end_section(o, at, 0);
    return 0;
}

/* No code runs any more; the shim may use the reserve. */
static uint32_t stopped(void)
{
    heap_reserve_open = true;
    return STATUS_STOPPED;
}

/* The program is over: `failed` with `value` as the reason, or with its result. */
static uint32_t finish(JSContext *ctx, bool failed, JSValue value)
{
    static Out o;
    size_t at, sync_at;
    heap_reserve_open = true;
    init_outcome(&o, ctx);
    if (!failed) {
        int r = begin_section(&o, &at);
        if (!r)
            r = is_dropped(value) ? (o.logging = true, out_dropped(&o, value)) : out_value(&o, value);
        o.logging = false;
        if (!r) {
            end_section(&o, at, 0);
        } else {
            if (shared.stop)
                return stopped();
            failed = true;
            o.len = 0;
            o.binary = 0;
            JS_FreeValue(ctx, value);
            value = JS_GetException(ctx);
        }
    }
    if (failed && out_error_section(&o, value)) {
        if (shared.stop)
            return stopped();
        JS_FreeValue(ctx, JS_GetException(ctx));
        o.len = 0;
        o.depth = 0;
        if (out_error_section(&o, JS_NULL)) /* out of memory, in the reserve */
            return stopped();
    }
    if (shared.stop)
        return stopped();
    sync_at = o.len;
    if (out_globals(&o, ctx)) {
        JSValue why;
        if (shared.stop)
            return stopped();
        why = JS_GetException(ctx);
        log_warning(ctx, "the globals were not written back:", why);
        JS_FreeValue(ctx, why);
        o.len = sync_at;
        o.binary = 0;
        o.max_bytes = o.len + 64;
        if (begin_section(&o, &sync_at))
            return stopped();
        end_section(&o, sync_at, 1);
    }
    report_rejections(ctx);
    if (shared.stop)
        return stopped();
    shared.out_ptr = (uint32_t)(uintptr_t)o.bytes;
    shared.out_len = o.len;
    return STATUS_DONE;
}

static uint32_t pump(JSContext *ctx)
{
    for (;;) {
        JSContext *job_ctx;
        JSPromiseStateEnum state;
        if (shared.stop) /* an interrupt can be swallowed, so look at what set it, between jobs too */
            return stopped();
        state = JS_PromiseState(ctx, entry_promise);
        if (state == JS_PROMISE_FULFILLED) {
            JSValue ns = JS_GetModuleNamespace(ctx, entry_module), v;
            v = JS_IsException(ns) ? JS_EXCEPTION : JS_GetProperty(ctx, ns, JS_ATOM_default);
            JS_FreeValue(ctx, ns);
            if (JS_IsException(v))
                return finish(ctx, true, JS_GetException(ctx));
            return finish(ctx, false, v);
        }
        if (state == JS_PROMISE_REJECTED) {
            on_rejection(ctx, entry_promise, JS_UNDEFINED, true, NULL); /* the result says it */
            return finish(ctx, true, JS_PromiseResult(ctx, entry_promise));
        }
        if (!JS_IsJobPending(guest_rt))
            return STATUS_WAITING;
        if (JS_ExecutePendingJob(guest_rt, &job_ctx) < 0) {
            JSValue why;
            if (shared.stop)
                return stopped();
            why = JS_GetException(ctx);
            shared.rejections++; /* a callback of queueMicrotask threw */
            log_warning(ctx, "uncaught in a microtask:", why);
            JS_FreeValue(ctx, why);
        }
    }
}

/* What the host placed in front of a message: source, globals, names. */
static bool take(const uint8_t **p, const uint8_t *end, const uint8_t **bytes, uint32_t *len)
{
    if (end - *p < 4)
        return false;
    *len = get_u32(*p);
    *p += 4;
    if ((size_t)(end - *p) < *len)
        return false;
    *bytes = *p;
    *p += *len;
    return true;
}

static int define_globals(JSContext *ctx, const uint8_t *bytes, uint32_t len, bool refs)
{
    JSValue all = in_message(ctx, bytes, len, refs);
    JSPropertyEnum *names = NULL;
    uint32_t i, n = 0;
    int r;
    if (JS_IsException(all))
        return -1;
    r = JS_GetOwnPropertyNames(ctx, &names, &n, all, JS_GPN_STRING_MASK);
    for (i = 0; !r && i < n; i++) {
        JSValue v = JS_GetProperty(ctx, all, names[i].atom);
        if (JS_VALUE_GET_TAG(v) == JS_TAG_OBJECT && JS_VALUE_GET_OBJ(v)->class_id == host_function_class)
            JS_DefinePropertyValue(ctx, v, JS_ATOM_name, JS_AtomToString(ctx, names[i].atom), JS_PROP_CONFIGURABLE);
        r = JS_DefinePropertyValue(ctx, ctx->global_obj, names[i].atom, v, JS_PROP_C_W_E) < 0;
    }
    js_free_prop_enum(ctx, names, n);
    JS_FreeValue(ctx, all);
    return r;
}

/* What each power brings, by its bit: an object whose properties become global where it was given. */
#define POWERS_MAX 32
static JSValue powers[POWERS_MAX];

static JSValue native_power(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t bit;
    if (JS_ToInt32(ctx, &bit, argv[0]))
        return JS_EXCEPTION;
    if (bit < 0 || bit >= POWERS_MAX || !JS_IsUndefined(powers[bit]) || !JS_IsObject(argv[1]))
        return JS_ThrowTypeError(ctx, "a power has one bit and one object");
    powers[bit] = js_dup(argv[1]);
    return JS_UNDEFINED;
}

static int define_powers(JSContext *ctx)
{
    uint32_t bit, i, n;
    for (bit = 0; bit < POWERS_MAX; bit++) {
        JSPropertyEnum *names = NULL;
        int r = 0;
        if (!(shared.powers >> bit & 1) || JS_IsUndefined(powers[bit]))
            continue;
        n = 0;
        if (JS_GetOwnPropertyNames(ctx, &names, &n, powers[bit], JS_GPN_STRING_MASK))
            return -1;
        for (i = 0; !r && i < n; i++)
            r = JS_DefinePropertyValue(ctx, ctx->global_obj, names[i].atom,
                                       JS_GetProperty(ctx, powers[bit], names[i].atom),
                                       JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE) < 0;
        js_free_prop_enum(ctx, names, n);
        if (r)
            return -1;
    }
    return 0;
}

/* A message: source (with a NUL behind it), globals, names of the globals that go back. flags: bit 0,
   references occur in the globals; from bit 8 on, how many lines of ours stand above the program, so
   that its own first line is line 1 wherever a line is told. */
EXPORT("sb_run") uint32_t sb_run(const uint8_t *message, uint32_t len, uint32_t flags)
{
    JSContext *ctx = guest_ctx;
    const uint8_t *p = message, *end = message + len, *source, *globals, *names;
    uint32_t source_len, globals_len, names_len;
    JSValue module;
    JS_UpdateStackTop(guest_rt);
    JS_SetMaxStackSize(guest_rt, shared.stack_limit);
    JS_SetGCThreshold(guest_rt, 256 * 1024 + shared.heap_used);
    host_random(&ctx->random_state, sizeof(ctx->random_state));
    ctx->random_state |= 1; /* the generator's one dead state is zero */
    ctx->interrupt_counter = JS_INTERRUPT_COUNTER_INIT;
    clock_ms = 0;
    shared.heap_peak = shared.heap_used;
    if (!take(&p, end, &source, &source_len) || source_len == 0 || source[source_len - 1] != 0 ||
        !take(&p, end, &globals, &globals_len) || !take(&p, end, &names, &names_len)) {
        JS_ThrowInternalError(ctx, "a message of the host is malformed");
        return finish(ctx, true, JS_GetException(ctx));
    }
    source_len--;
    if (shared.powers && define_powers(ctx))
        return finish(ctx, true, JS_GetException(ctx));
    if (globals_len && define_globals(ctx, globals, globals_len, flags & 1))
        return finish(ctx, true, JS_GetException(ctx));
    if (names_len) {
        sync_names = in_message(ctx, names, names_len, false);
        if (JS_IsException(sync_names)) {
            sync_names = JS_UNDEFINED;
            return finish(ctx, true, JS_GetException(ctx));
        }
    }
    shared.heap_exhausted = 0;
    ctx->eval_internal = __JS_EvalInternal;
    module = JS_Eval2(ctx, (const char *)source, source_len,
                      &(JSEvalOptions){
                          .version = JS_EVAL_OPTIONS_VERSION,
                          .eval_flags = JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY,
                          .filename = "user-code",
                          .line_num = 1 - (int)(flags >> 8),
                      });
    sb_alloc(0); /* the message was read */
    /* from here on no text becomes code: eval, Function and all its kin throw */
    ctx->eval_internal = NULL;
    modules_locked = true;
    if (shared.stop)
        return stopped();
    if (JS_IsException(module)) {
        JSValue why = JS_GetException(ctx);
        if (shared.heap_exhausted) { /* the parser may call it a syntax error */
            JS_FreeValue(ctx, why);
            why = JS_NULL;
        }
        return finish(ctx, true, why);
    }
    entry_module = JS_VALUE_GET_PTR(module);
    entry_promise = JS_EvalFunction(ctx, module);
    if (shared.stop)
        return stopped();
    if (JS_IsException(entry_promise))
        return finish(ctx, true, JS_GetException(ctx));
    return pump(ctx);
}

/* Modules that a run will import, each its id with a NUL behind it: compiled with all that they import,
   and not evaluated. Memory is then what many runs begin with. 0: done. */
EXPORT("sb_preload") uint32_t sb_preload(const char *ids, uint32_t len)
{
    JSContext *ctx = guest_ctx;
    const char *id, *end = ids + len;
    uint32_t failed = 0;
    JS_UpdateStackTop(guest_rt);
    JS_SetMaxStackSize(guest_rt, shared.stack_limit);
    ctx->eval_internal = __JS_EvalInternal;
    for (id = ids; !failed && id < end; id += strlen(id) + 1) {
        JSAtom name = JS_NewAtom(ctx, id);
        if (name == JS_ATOM_NULL || (!js_find_loaded_module_by_name(ctx, name) &&
                                     !module_load(ctx, id, NULL, JS_UNDEFINED)))
            failed = 1;
        JS_FreeAtom(ctx, name);
    }
    ctx->eval_internal = NULL;
    if (failed && !shared.stop)
        JS_FreeValue(ctx, JS_GetException(ctx));
    sb_alloc(0);
    memset(inbox, 0, sizeof(inbox));
    JS_RunGC(guest_rt);
    shared.steps = 0;
    shared.heap_exhausted = 0;
    return failed || shared.stop;
}

/* Replies, each: number, 0 value or 1 error, whether references occur, length, message. */
EXPORT("sb_settle") uint32_t sb_settle(const uint8_t *message, uint32_t len)
{
    const uint8_t *p = message, *end = message + len;
    JS_UpdateStackTop(guest_rt);
    while (end - p >= 10) {
        uint32_t id = get_u32(p), n = get_u32(p + 6);
        bool failed = p[4], refs = p[5];
        p += 10;
        if ((size_t)(end - p) < n)
            break;
        settle_one(guest_ctx, id, failed, refs, p, n);
        p += n;
    }
    sb_alloc(0);
    return pump(guest_ctx);
}

EXPORT("sb_shared") void *sb_shared(void)
{
    return &shared;
}

static const JSCFunctionListEntry natives[] = {
    JS_CFUNC_DEF("power", 2, native_power),
    JS_CFUNC_MAGIC_DEF("call", 2, native_bridge, 0),
    JS_CFUNC_MAGIC_DEF("callSync", 2, native_bridge, 1),
    JS_CFUNC_MAGIC_DEF("log", 0, native_log, LOG_PLAIN),
    JS_CFUNC_MAGIC_DEF("info", 0, native_log, LOG_INFO),
    JS_CFUNC_MAGIC_DEF("warn", 0, native_log, LOG_WARN),
    JS_CFUNC_MAGIC_DEF("error", 0, native_log, LOG_ERROR),
    JS_CFUNC_DEF("progress", 2, native_progress),
    JS_CFUNC_DEF("encodeUtf8", 1, native_encode_utf8),
    JS_CFUNC_DEF("decodeUtf8", 2, native_decode_utf8),
    JS_CFUNC_DEF("toBase64", 1, native_to_base64),
    JS_CFUNC_MAGIC_DEF("fromBase64", 1, native_from_digits, 6),
    JS_CFUNC_DEF("toHex", 1, native_to_hex),
    JS_CFUNC_MAGIC_DEF("fromHex", 1, native_from_digits, 4),
    JS_CFUNC_DEF("clone", 1, native_clone),
    JS_CFUNC_DEF("random", 1, native_random),
    JS_CFUNC_DEF("atob", 1, native_atob),
    JS_CFUNC_DEF("btoa", 1, native_btoa),
};

static const char *bake_failed(JSContext *ctx)
{
    static char text[2048];
    JSValue e = JS_GetException(ctx);
    const char *message = JS_ToCString(ctx, e);
    JSValue stack = JS_GetPropertyStr(ctx, e, "stack");
    const char *where = JS_ToCString(ctx, stack);
    snprintf(text, sizeof(text), "%s\n%s", message ? message : "?", where ? where : "");
    return text;
}

/* The prelude's files, each its name and its text with a NUL behind both: functions of the global
   object, of what only we may call, and of an object in which one file leaves things for the next. */
static int evaluate_prelude(JSContext *ctx, const char *files, uint32_t len)
{
    const char *p = files, *end = files + len;
    JSValue shared_by_files[3] = { js_dup(ctx->global_obj), JS_NewObject(ctx), JS_NewObject(ctx) };
    int i, r = 0;
    JS_SetPropertyFunctionList(ctx, shared_by_files[1], natives, countof(natives));
    while (!r && p < end) {
        const char *name = p, *text = name + strlen(name) + 1;
        size_t text_len = strlen(text);
        JSValue make = JS_Eval(ctx, text, text_len, name, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT), done;
        p = text + text_len + 1;
        if (JS_IsException(make)) {
            r = -1;
            break;
        }
        done = JS_Call(ctx, make, JS_UNDEFINED, 3, (JSValueConst *)shared_by_files);
        r = JS_IsException(done) ? -1 : 0;
        JS_FreeValue(ctx, make);
        JS_FreeValue(ctx, done);
    }
    for (i = 0; i < 3; i++)
        JS_FreeValue(ctx, shared_by_files[i]);
    return r;
}

/* Once, while the image is built: the engine, its globals, the prelude. 0, or why not. */
EXPORT("sb_bake") const char *sb_bake(const char *prelude, uint32_t len)
{
    JSContext *ctx;
    JSAtom hidden;
    int i, failed;
    clock_ms = 1; /* no clock while baking: nothing of the build machine is in the image */
    guest_rt = JS_NewRuntime2(&heap_functions, NULL);
    if (!guest_rt)
        return "no runtime";
    guest_ctx = ctx = JS_NewContextRaw(guest_rt);
    if (!ctx || JS_AddIntrinsicBaseObjects(ctx) || JS_AddIntrinsicDate(ctx) || JS_AddIntrinsicEval(ctx) ||
        JS_AddIntrinsicRegExp(ctx) || JS_AddIntrinsicJSON(ctx) || JS_AddIntrinsicProxy(ctx) ||
        JS_AddIntrinsicMapSet(ctx) || JS_AddIntrinsicTypedArrays(ctx) || JS_AddIntrinsicPromise(ctx) ||
        JS_AddIntrinsicWeakRef(ctx) || define_date_setters(ctx) || init_calls(ctx))
        return "no context";
    JS_SetRuntimeInfo(guest_rt, "sandbox");
    user_code_atom = JS_NewAtom(ctx, "user-code");
    /* a CallSite hands out every function on the stack, a pack's private ones too */
    hidden = JS_NewAtom(ctx, "getFunction");
    JS_DeleteProperty(ctx, ctx->class_proto[JS_CLASS_CALL_SITE], hidden, 0);
    JS_FreeAtom(ctx, hidden);
    entry_promise = sync_names = JS_UNDEFINED;
    JS_SetModuleLoaderFunc2(guest_rt, module_normalize, module_load, module_attributes, NULL);
    for (i = 0; i < POWERS_MAX; i++)
        powers[i] = JS_UNDEFINED;
    failed = evaluate_prelude(ctx, prelude, len);
    sb_alloc(0); /* the text itself does not stay in the image */
    if (failed)
        return bake_failed(ctx);
    while (JS_IsJobPending(guest_rt)) {
        JSContext *job_ctx;
        if (JS_ExecutePendingJob(guest_rt, &job_ctx) < 0)
            return bake_failed(ctx);
    }
    ctx->eval_internal = NULL;
    JS_RunGC(guest_rt);
    JS_SetInterruptHandler(guest_rt, on_interrupt, NULL);
    JS_SetHostPromiseRejectionTracker(guest_rt, on_rejection, NULL);
    shared.inbox_ptr = (uint32_t)(uintptr_t)inbox;
    shared.heap_peak = 0;
    shared.heap_exhausted = 0;
    clock_ms = 0;
    return NULL;
}
