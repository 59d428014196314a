/* Host calls. An asynchronous one is posted at once and gives a promise; the host settles it by
 * its number, in any order, later, once. A synchronous one crosses and comes back.
 *
 * The guest holds numbers and never a host value: what waits here can be written down.
 */

typedef struct {
    uint32_t id;
    int32_t line, column;
    JSValue promise; /* JS_UNDEFINED once settled */
} Pending;

static Pending *pending; /* by ascending id */
static uint32_t pending_len, pending_cap;
static uint32_t last_call_id;

#define CALL_HEADER_BYTES 17

/* Where the program is: its innermost frame, over those of packs and of ours. The interpreter notes
   a frame's place at each call and throw; before the first of them it is the function's own line. */
static void user_position(int32_t *line, int32_t *column)
{
    JSStackFrame *sf;
    *line = *column = 0;
    for (sf = guest_rt->current_stack_frame; sf; sf = sf->prev_frame) {
        JSObject *p = JS_VALUE_GET_OBJ(sf->cur_func);
        JSFunctionBytecode *b;
        int col = 0;
        if (!js_class_has_bytecode(p->class_id))
            continue;
        b = p->u.func.function_bytecode;
        if (b->filename != user_code_atom)
            continue;
        if (sf->cur_pc) {
            *line = find_line_num(guest_ctx, b, sf->cur_pc - b->byte_code_buf - 1, &col);
            *column = col;
        } else {
            *line = b->line_num;
            *column = b->col_num;
        }
        if (*line > 0)
            return;
    }
}

static JSValue new_promise(JSContext *ctx)
{
    JSValue promise = JS_NewObjectClass(ctx, JS_CLASS_PROMISE);
    JSPromiseData *s;
    int i;
    if (JS_IsException(promise))
        return promise;
    s = js_mallocz(ctx, sizeof(*s));
    if (!s) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    s->promise_state = JS_PROMISE_PENDING;
    for (i = 0; i < 2; i++)
        init_list_head(&s->promise_reactions[i]);
    s->promise_result = JS_UNDEFINED;
    JS_VALUE_GET_OBJ(promise)->u.promise_data = s;
    return promise;
}

/* The pending exception as a rejected promise; an interrupt stays an exception. */
static JSValue rejected(JSContext *ctx)
{
    JSValue promise, reason;
    if (shared.stop)
        return JS_EXCEPTION;
    reason = JS_GetException(ctx);
    promise = new_promise(ctx);
    if (!JS_IsException(promise))
        fulfill_or_reject_promise(ctx, promise, reason, true);
    JS_FreeValue(ctx, reason);
    return promise;
}

/* An Error as a host failure makes it: its own name and message, and where it was called. */
static JSValue new_error(JSContext *ctx, JSValue name, JSValue message, JSValueConst details, int32_t line,
                         int32_t column)
{
    JSValue error = JS_NewObjectClass(ctx, JS_CLASS_ERROR);
    JSPropertyEnum *names = NULL;
    uint32_t i, n = 0;
    char at[64];
    if (JS_IsException(error)) {
        JS_FreeValue(ctx, name);
        JS_FreeValue(ctx, message);
        return error;
    }
    if (JS_IsString(message))
        JS_DefinePropertyValue(ctx, error, JS_ATOM_message, message, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    if (JS_IsString(name))
        JS_DefinePropertyValue(ctx, error, JS_ATOM_name, name, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    if (JS_VALUE_GET_TAG(details) == JS_TAG_OBJECT &&
        !JS_GetOwnPropertyNames(ctx, &names, &n, details, JS_GPN_STRING_MASK)) {
        for (i = 0; i < n; i++)
            JS_DefinePropertyValue(ctx, error, names[i].atom, JS_GetProperty(ctx, details, names[i].atom),
                                   JS_PROP_C_W_E);
        js_free_prop_enum(ctx, names, n);
    }
    at[0] = 0;
    if (line > 0)
        snprintf(at, sizeof(at), "    at user-code:%d:%d\n", (int)line, (int)column);
    JS_FreeValue(ctx, JS_VALUE_GET_OBJ(error)->u.object_data);
    JS_VALUE_GET_OBJ(error)->u.object_data = js_new_string8(ctx, at);
    return error;
}

/* [name, message, details] as the host wrote it. */
static JSValue error_from_message(JSContext *ctx, const uint8_t *bytes, size_t len, int32_t line, int32_t column)
{
    JSValue parts = in_message(ctx, bytes, len, false), error;
    JSObject *p;
    if (JS_IsException(parts))
        return parts;
    p = JS_VALUE_GET_TAG(parts) == JS_TAG_OBJECT ? JS_VALUE_GET_OBJ(parts) : NULL;
    if (!p || p->class_id != JS_CLASS_ARRAY || !p->fast_array || p->u.array.count != 3) {
        JS_FreeValue(ctx, parts);
        return JS_ThrowInternalError(ctx, "a message of the host is malformed");
    }
    error = new_error(ctx, js_dup(p->u.array.u.values[0]), js_dup(p->u.array.u.values[1]),
                      p->u.array.u.values[2], line, column);
    JS_FreeValue(ctx, parts);
    return error;
}

/* id, line, column, lengths of both names, whether references occur; the names; the arguments. */
static int write_call(Out *o, uint32_t id, int32_t line, int32_t column, const char *bridge,
                      const char *member, int argc, JSValueConst *argv)
{
    size_t bridge_len = strlen(bridge), member_len = strlen(member), at;
    int i;
    if (bridge_len > 4096 || member_len > 4096) {
        JS_ThrowRangeError(o->ctx, "%s: more than 4096 characters of name", o->what);
        return -1;
    }
    o->max_bytes += CALL_HEADER_BYTES + bridge_len + member_len;
    if (out_room(o, CALL_HEADER_BYTES + bridge_len + member_len))
        return -1;
    put_u32(o->bytes, id);
    put_u32(o->bytes + 4, line);
    put_u32(o->bytes + 8, column);
    put_u16(o->bytes + 12, bridge_len);
    put_u16(o->bytes + 14, member_len);
    o->bytes[16] = o->refs;
    memcpy(o->bytes + CALL_HEADER_BYTES, bridge, bridge_len);
    memcpy(o->bytes + CALL_HEADER_BYTES + bridge_len, member, member_len);
    o->len = CALL_HEADER_BYTES + bridge_len + member_len;
    o->containers = 1; /* the list of arguments is container 0 */
    if (out_open(o, 0xdd, &at))
        return -1;
    for (i = 0; i < argc; i++)
        if (out_member(o, argv[i]))
            return -1;
    out_close(o, at, argc);
    return 0;
}

static int count_call(JSContext *ctx, const char *what)
{
    if (shared.calls >= shared.calls_max) {
        JS_ThrowRangeError(ctx, "%s: host call limit exceeded (max %u calls per run)", what,
                           (unsigned)shared.calls_max);
        return -1;
    }
    shared.calls++;
    return 0;
}

static void init_call(Out *o, JSContext *ctx, const char *what, bool refs)
{
    memset(o, 0, offsetof(Out, path));
    o->ctx = ctx;
    o->what = what;
    o->max_bytes = o->max_binary = shared.call_bytes;
    o->max_depth = shared.call_depth < OUT_PATH_MAX ? shared.call_depth : OUT_PATH_MAX;
    o->refs = refs;
}

static int pending_room(JSContext *ctx)
{
    uint32_t i, n = 0, cap;
    Pending *grown;
    if (pending_len < pending_cap)
        return 0;
    if (shared.pending < pending_len / 2) { /* close the gaps that settled calls left */
        for (i = 0; i < pending_len; i++)
            if (!JS_IsUndefined(pending[i].promise))
                pending[n++] = pending[i];
        pending_len = n;
        return 0;
    }
    cap = pending_cap ? pending_cap * 2 : 16;
    grown = js_realloc(ctx, pending, cap * sizeof(*grown));
    if (!grown)
        return -1;
    pending = grown;
    pending_cap = cap;
    return 0;
}

static JSValue call_async(JSContext *ctx, const char *what, const char *bridge, const char *member, bool refs,
                          int argc, JSValueConst *argv)
{
    Out o;
    JSValue promise;
    int32_t line, column;
    if (shared.stop) {
        JS_ThrowInterrupted(ctx);
        return JS_EXCEPTION;
    }
    if (shared.pending >= shared.pending_max) {
        JS_ThrowRangeError(ctx, "%s: pending host call limit exceeded (max %u unanswered calls at once)", what,
                           (unsigned)shared.pending_max);
        return rejected(ctx);
    }
    if (count_call(ctx, what) || pending_room(ctx))
        return rejected(ctx);
    promise = new_promise(ctx);
    if (JS_IsException(promise))
        return rejected(ctx);
    user_position(&line, &column);
    init_call(&o, ctx, what, refs);
    if (write_call(&o, last_call_id + 1, line, column, bridge, member, argc, argv)) {
        out_free(&o);
        JS_FreeValue(ctx, promise);
        return rejected(ctx);
    }
    /* a getter among the arguments may have made calls of its own */
    if (pending_room(ctx)) {
        out_free(&o);
        JS_FreeValue(ctx, promise);
        return rejected(ctx);
    }
    put_u32(o.bytes, ++last_call_id);
    pending[pending_len].id = last_call_id;
    pending[pending_len].line = line;
    pending[pending_len].column = column;
    pending[pending_len++].promise = js_dup(promise);
    shared.pending++;
    host_post(POST_CALL, o.bytes, o.len);
    out_free(&o);
    return promise;
}

static JSValue call_sync(JSContext *ctx, const char *what, const char *bridge, const char *member, bool refs,
                         int argc, JSValueConst *argv)
{
    Out o;
    JSValue result;
    int32_t line, column, n;
    uint8_t *reply = inbox;
    if (shared.stop) {
        JS_ThrowInterrupted(ctx);
        return JS_EXCEPTION;
    }
    if (count_call(ctx, what))
        return JS_EXCEPTION;
    user_position(&line, &column);
    init_call(&o, ctx, what, refs);
    if (write_call(&o, 0, line, column, bridge, member, argc, argv)) {
        out_free(&o);
        return JS_EXCEPTION;
    }
    n = host_call(o.bytes, o.len, inbox, INBOX_BYTES);
    out_free(&o);
    if (n > INBOX_BYTES) {
        reply = js_malloc(ctx, n);
        if (!reply)
            return JS_EXCEPTION;
        n = host_call(NULL, 0, reply, n);
    }
    if (shared.stop) {
        JS_ThrowInterrupted(ctx);
        result = JS_EXCEPTION;
    } else if (n < 2) {
        result = JS_ThrowInternalError(ctx, "%s: the host gave no reply", what);
    } else if (reply[0] == 0) {
        result = in_message(ctx, reply + 2, n - 2, reply[1]);
    } else {
        result = error_from_message(ctx, reply + 2, n - 2, line, column);
        if (!JS_IsException(result))
            result = JS_Throw(ctx, result);
    }
    if (reply != inbox)
        js_free(ctx, reply);
    return result;
}

/* bridge(async, "fetch", "", args...): what the prelude makes its functions of */
static JSValue native_bridge(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int sync)
{
    const char *bridge, *member;
    char what[160];
    JSValue result;
    bridge = JS_ToCString(ctx, argv[0]);
    member = JS_ToCString(ctx, argv[1]);
    if (!bridge || !member) {
        JS_FreeCString(ctx, bridge);
        JS_FreeCString(ctx, member);
        return JS_EXCEPTION;
    }
    snprintf(what, sizeof(what), *member ? "%.64s.%.64s" : "%.64s", bridge, member);
    result = sync ? call_sync(ctx, what, bridge, member, false, argc - 2, argv + 2)
                  : call_async(ctx, what, bridge, member, false, argc - 2, argv + 2);
    JS_FreeCString(ctx, bridge);
    JS_FreeCString(ctx, member);
    return result;
}

/* A function of the caller: its number, and the number of its name for messages. */
static uint32_t host_function_number(JSObject *p)
{
    return (uint32_t)(uintptr_t)p->u.opaque;
}

static JSValue host_function_call(JSContext *ctx, JSValueConst func, JSValueConst this_val, int argc,
                                  JSValueConst *argv, int flags)
{
    char member[16];
    char what[80];
    JSValue name = data_text(ctx, JS_VALUE_GET_OBJ(func), JS_ATOM_name);
    const char *text = JS_IsString(name) ? JS_ToCString(ctx, name) : NULL;
    JSValue result;
    snprintf(what, sizeof(what), "%.64s", text ? text : "a function of the caller");
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, name);
    snprintf(member, sizeof(member), "%u", (unsigned)host_function_number(JS_VALUE_GET_OBJ(func)));
    result = call_async(ctx, what, "function", member, false, argc, argv);
    return result;
}

static const JSClassDef host_function_def = { "Function", .call = host_function_call };

static JSValue make_host_function(JSContext *ctx, uint32_t number)
{
    JSValue f = JS_NewObjectClass(ctx, host_function_class);
    if (!JS_IsException(f))
        JS_SetOpaque(f, (void *)(uintptr_t)number);
    return f;
}

static int init_calls(JSContext *ctx)
{
    JS_NewClassID(guest_rt, &host_function_class);
    if (JS_NewClass(guest_rt, host_function_class, &host_function_def))
        return -1;
    JS_SetClassProto(ctx, host_function_class, js_dup(ctx->function_proto));
    return 0;
}

static Pending *find_pending(uint32_t id)
{
    uint32_t low = 0, high = pending_len;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (pending[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == pending_len || pending[low].id != id || JS_IsUndefined(pending[low].promise))
        return NULL;
    return &pending[low];
}

/* One reply. A number that waits no more (answered before, or never asked) is ignored. */
static void settle_one(JSContext *ctx, uint32_t id, bool failed, bool refs, const uint8_t *bytes, size_t len)
{
    Pending *call = find_pending(id);
    JSValue promise, value;
    if (!call)
        return;
    promise = call->promise;
    value = failed ? error_from_message(ctx, bytes, len, call->line, call->column)
                   : in_message(ctx, bytes, len, refs);
    call->promise = JS_UNDEFINED;
    shared.pending--;
    if (JS_IsException(value)) { /* no memory for it, most likely */
        failed = true;
        value = JS_GetException(ctx);
    }
    /* straight into the promise: a `then` on the value's prototype has no say */
    fulfill_or_reject_promise(ctx, promise, value, failed);
    JS_FreeValue(ctx, value);
    JS_FreeValue(ctx, promise);
}
