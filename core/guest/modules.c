/* import: every name goes through `normalize`, because the engine serves a module that it has
 * without asking the loader. Names are decided by the host until the static graph is linked;
 * from then on nothing resolves.
 */

#define BRIDGE_ID "nodetool-sandbox:host-bridge"
#define MODULE_ID_MAX 2048

static bool modules_locked;

static JSValue throw_plain(JSContext *ctx, JSValue message)
{
    JSValue error;
    if (JS_IsException(message))
        return message;
    error = new_error(ctx, JS_UNDEFINED, message, JS_UNDEFINED, 0, 0);
    return JS_IsException(error) ? error : JS_Throw(ctx, error);
}

static char *module_normalize(JSContext *ctx, const char *base, const char *name, void *opaque)
{
    char out[MODULE_ID_MAX];
    size_t name_len = strlen(name);
    int32_t n;
    if (modules_locked) {
        throw_plain(ctx, JS_ConcatString3(ctx, "dynamic import() is not allowed in the sandbox (requested \"",
                                          JS_NewStringLen(ctx, name, name_len < 200 ? name_len : 200), "\")"));
        return NULL;
    }
    if (!shared.modules) {
        throw_plain(ctx, JS_ConcatString3(ctx, "\"",
                                          JS_NewStringLen(ctx, name, name_len < 200 ? name_len : 200),
                                          "\" is not a sandbox package declared for this run; this run declares none"));
        return NULL;
    }
    n = host_normalize(base, strlen(base), name, name_len, out, sizeof(out) - 1);
    if (shared.stop) {
        JS_ThrowInterrupted(ctx);
        return NULL;
    }
    if (n < 0) {
        uint32_t len = -n < (int)sizeof(out) ? -n : sizeof(out) - 1;
        throw_plain(ctx, JS_NewStringLen(ctx, out, len));
        return NULL;
    }
    if (n == 0 || n >= (int)sizeof(out)) {
        JS_ThrowInternalError(ctx, "a module id of the host is malformed");
        return NULL;
    }
    return js_strndup(ctx, out, n);
}

enum { BIND_SYNC = 1, BIND_SHARED = 2, BIND_WASM = 4 };

/* One export of one host module, or of one WebAssembly module of a pack. */
static JSValue bound_call(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int magic,
                          JSValueConst *data)
{
    const char *specifier = JS_ToCString(ctx, data[0]), *name = JS_ToCString(ctx, data[1]);
    char bridge[512], what[80];
    JSValue result = JS_EXCEPTION;
    if (specifier && name) {
        snprintf(bridge, sizeof(bridge), "%s:%.400s", magic & BIND_WASM ? "wasm" : "host", specifier);
        snprintf(what, sizeof(what), "%.64s", name);
        result = magic & BIND_SYNC
            ? call_sync(ctx, what, bridge, name, magic & BIND_SHARED, argc, argv)
            : call_async(ctx, what, bridge, name, magic & BIND_SHARED, argc, argv);
    }
    JS_FreeCString(ctx, specifier);
    JS_FreeCString(ctx, name);
    return result;
}

/* bind(specifier, export, flags): a native function, so that what the program does to iterators
   or to Function.prototype changes no argument on its way. */
static JSValue bridge_bind(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t flags = 0;
    JSValue f;
    if (!JS_IsString(argv[0]) || !JS_IsString(argv[1]))
        return JS_ThrowTypeError(ctx, "a host function needs a specifier and a name");
    if (JS_ToInt32(ctx, &flags, argv[2]))
        return JS_EXCEPTION;
    f = JS_NewCFunctionData(ctx, bound_call, 1, flags & 7, 2, argv);
    if (!JS_IsException(f))
        JS_DefinePropertyValue(ctx, f, JS_ATOM_name, js_dup(argv[1]), JS_PROP_CONFIGURABLE);
    return f;
}

static const JSCFunctionListEntry bridge_functions[] = {
    JS_CFUNC_DEF("bind", 3, bridge_bind),
};

static int bridge_init(JSContext *ctx, JSModuleDef *m)
{
    return JS_SetModuleExportList(ctx, m, bridge_functions, countof(bridge_functions));
}

static JSModuleDef *module_load(JSContext *ctx, const char *id, void *opaque, JSValueConst attributes)
{
    uint8_t *source;
    int32_t n;
    JSValue module;
    JSModuleDef *m;
    if (modules_locked) {
        JS_ThrowInternalError(ctx, "no module can be loaded any more");
        return NULL;
    }
    if (!strcmp(id, BRIDGE_ID)) {
        m = JS_NewCModule(ctx, id, bridge_init);
        if (m && JS_AddModuleExportList(ctx, m, bridge_functions, countof(bridge_functions)))
            return NULL;
        return m;
    }
    n = host_load(id, strlen(id), NULL, 0); /* asks for the length; the host keeps the source */
    if (n < 0) {
        JS_ThrowInternalError(ctx, "the host has no source of a module that it named");
        return NULL;
    }
    source = js_malloc(ctx, (size_t)n + 1);
    if (!source)
        return NULL;
    n = host_load(NULL, 0, source, n);
    if (n < 0) {
        js_free(ctx, source);
        JS_ThrowInternalError(ctx, "the host has no source of a module that it named");
        return NULL;
    }
    source[n] = 0;
    module = JS_Eval(ctx, (char *)source, n, id, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    memset(source, 0, n); /* what is preloaded is kept page by page, and a page of zeros costs nothing */
    js_free(ctx, source);
    if (JS_IsException(module))
        return NULL;
    m = JS_VALUE_GET_PTR(module);
    JS_FreeValue(ctx, module);
    return m;
}

static int module_attributes(JSContext *ctx, void *opaque, JSValueConst attributes)
{
    JSPropertyEnum *names = NULL;
    uint32_t n = 0;
    if (JS_VALUE_GET_TAG(attributes) != JS_TAG_OBJECT)
        return 0;
    if (JS_GetOwnPropertyNames(ctx, &names, &n, attributes, JS_GPN_STRING_MASK))
        return -1;
    js_free_prop_enum(ctx, names, n);
    if (n) {
        throw_plain(ctx, js_new_string8(ctx, "import attributes are not allowed in the sandbox"));
        return -1;
    }
    return 0;
}
