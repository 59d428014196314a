/* Bytes -> guest value. The bytes come from our host, but a fault there must not become one
 * here: every length is checked against what is left. Properties are defined, never assigned,
 * so no setter and no prototype of the program is asked.
 */

typedef struct {
    JSContext *ctx;
    const uint8_t *p, *end;
    bool refs;          /* containers are remembered for EXT_REF */
    JSValue *made;      /* by preorder number; borrowed references kept alive by the root */
    uint32_t made_count, made_cap;
    uint32_t depth;
    struct {
        JSAtom atom;
        uint32_t len;
        const uint8_t *text;
    } names[64];        /* rows repeat their keys: one atom look-up for each, not for each row */
} In;

#define IN_DEPTH_MAX 1100

static JSValue make_host_function(JSContext *ctx, uint32_t number); /* calls.c */
static JSValue in_value(In *in);

static JSValue in_broken(In *in)
{
    return JS_ThrowInternalError(in->ctx, "a message of the host is malformed");
}

static bool in_has(In *in, size_t n)
{
    return (size_t)(in->end - in->p) >= n;
}

static uint64_t in_be(In *in, int n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | *in->p++;
    return v;
}

static JSValue in_int64(JSContext *ctx, int64_t v)
{
    if (v > 9007199254740991 || v < -9007199254740991)
        return JS_NewBigInt64(ctx, v);
    return JS_NewInt64(ctx, v);
}

static JSValue in_text(In *in, size_t n)
{
    const char *text = (const char *)in->p;
    if (!in_has(in, n))
        return in_broken(in);
    in->p += n;
    return JS_NewStringLen(in->ctx, text, n);
}

static int in_made(In *in, JSValueConst v)
{
    if (!in->refs)
        return 0;
    if (in->made_count == in->made_cap) {
        uint32_t cap = in->made_cap ? in->made_cap * 2 : 64;
        JSValue *made = js_realloc(in->ctx, in->made, cap * sizeof(*made));
        if (!made)
            return -1;
        in->made = made;
        in->made_cap = cap;
    }
    in->made[in->made_count++] = unsafe_unconst(v);
    return 0;
}

/* -1: not a name, or out of memory. */
static int in_name(In *in, JSAtom *atom)
{
    uint8_t tag;
    uint32_t n, slot;
    if (!in_has(in, 1))
        return -1;
    tag = *in->p++;
    if (tag >= 0xa0 && tag <= 0xbf)
        n = tag & 31;
    else if (tag == 0xd9 && in_has(in, 1))
        n = in_be(in, 1);
    else if (tag == 0xda && in_has(in, 2))
        n = in_be(in, 2);
    else if (tag == 0xdb && in_has(in, 4))
        n = in_be(in, 4);
    else
        return -1;
    if (!in_has(in, n))
        return -1;
    slot = (n * 31 + (n ? in->p[0] * 7 + in->p[n - 1] : 0)) & (countof(in->names) - 1);
    if (in->names[slot].atom != JS_ATOM_NULL && in->names[slot].len == n &&
        !memcmp(in->names[slot].text, in->p, n)) {
        *atom = in->names[slot].atom;
    } else {
        *atom = JS_NewAtomLen(in->ctx, (const char *)in->p, n);
        if (*atom == JS_ATOM_NULL)
            return -1;
        JS_FreeAtom(in->ctx, in->names[slot].atom);
        in->names[slot].atom = *atom;
        in->names[slot].len = n;
        in->names[slot].text = in->p;
    }
    in->p += n;
    return 0;
}

static JSValue in_array(In *in, uint32_t n)
{
    JSContext *ctx = in->ctx;
    JSValue array, item;
    JSObject *p;
    uint32_t i;
    if (!in_has(in, n))
        return in_broken(in);
    array = js_allocate_fast_array(ctx, n);
    if (JS_IsException(array))
        return array;
    if (in_made(in, array))
        goto fail;
    p = JS_VALUE_GET_OBJ(array);
    for (i = 0; i < n; i++) {
        item = in_value(in);
        if (JS_IsException(item))
            goto fail;
        p->u.array.u.values[i] = item;
    }
    return array;
fail:
    JS_FreeValue(ctx, array);
    return JS_EXCEPTION;
}

static int define_own(JSContext *ctx, JSObject *p, JSAtom name, JSValue v)
{
    JSProperty *pr;
    if (find_own_property(&pr, p, name)) {
        set_value(ctx, &pr->u.value, v);
        return 0;
    }
    pr = add_property(ctx, p, name, JS_PROP_C_W_E);
    if (!pr) {
        JS_FreeValue(ctx, v);
        return -1;
    }
    pr->u.value = v;
    return 0;
}

static JSValue in_record(In *in, uint32_t n)
{
    JSContext *ctx = in->ctx;
    JSValue object, item;
    JSAtom name;
    if (!in_has(in, n))
        return in_broken(in);
    object = JS_NewObject(ctx);
    if (JS_IsException(object))
        return object;
    if (in_made(in, object))
        goto fail;
    while (n-- > 0) {
        if (in_name(in, &name)) {
            if (!JS_HasException(ctx))
                in_broken(in);
            goto fail;
        }
        JS_DupAtom(ctx, name); /* the slot may be given to another name below */
        item = in_value(in);
        if (JS_IsException(item) || define_own(ctx, JS_VALUE_GET_OBJ(object), name, item)) {
            JS_FreeAtom(ctx, name);
            goto fail;
        }
        JS_FreeAtom(ctx, name);
    }
    return object;
fail:
    JS_FreeValue(ctx, object);
    return JS_EXCEPTION;
}

static JSValue in_collection(In *in, bool is_map)
{
    JSContext *ctx = in->ctx;
    JSValue made, key, value;
    uint32_t n;
    uint8_t tag;
    if (!in_has(in, 1))
        return in_broken(in);
    tag = *in->p++;
    if ((tag & 0xf0) == 0x90)
        n = tag & 15;
    else if (tag == 0xdc && in_has(in, 2))
        n = in_be(in, 2);
    else if (tag == 0xdd && in_has(in, 4))
        n = in_be(in, 4);
    else
        return in_broken(in);
    made = js_map_constructor(ctx, JS_UNDEFINED, 0, NULL, is_map ? 0 : MAGIC_SET);
    if (JS_IsException(made))
        return made;
    if (in_made(in, made))
        goto fail;
    while (n > 0) {
        JSMapState *s = JS_VALUE_GET_OBJ(made)->u.map_state;
        JSMapRecord *m;
        key = in_value(in);
        if (JS_IsException(key))
            goto fail;
        value = JS_UNDEFINED;
        n--;
        if (is_map) {
            if (n-- == 0) {
                JS_FreeValue(ctx, key);
                in_broken(in);
                goto fail;
            }
            value = in_value(in);
            if (JS_IsException(value)) {
                JS_FreeValue(ctx, key);
                goto fail;
            }
        }
        key = unsafe_unconst(map_normalize_key(ctx, key));
        m = map_find_record(ctx, s, key);
        if (m)
            JS_FreeValue(ctx, m->value);
        else
            m = map_add_record(ctx, s, js_dup(key));
        JS_FreeValue(ctx, key);
        if (!m) {
            JS_FreeValue(ctx, value);
            goto fail;
        }
        m->value = value;
    }
    return made;
fail:
    JS_FreeValue(ctx, made);
    return JS_EXCEPTION;
}

static JSValue in_bigint(In *in, uint32_t n)
{
    JSContext *ctx = in->ctx;
    size_t limb = sizeof(js_limb_t);
    uint32_t i, limbs;
    JSBigInt *b;
    uint8_t *bytes, sign;
    if (n == 0 || !in_has(in, n))
        return in_broken(in);
    limbs = (n + limb - 1) / limb;
    b = js_bigint_new(ctx, limbs);
    if (!b)
        return JS_EXCEPTION;
    bytes = (uint8_t *)b->tab;
    sign = in->p[0] & 0x80 ? 0xff : 0;
    for (i = 0; i < limbs * limb; i++)
        bytes[i] = i < n ? in->p[n - 1 - i] : sign;
    in->p += n;
    return JS_CompactBigInt(ctx, js_bigint_normalize(ctx, b));
}

static JSValue in_ext(In *in, uint32_t n)
{
    JSContext *ctx = in->ctx;
    const uint8_t *end;
    JSFloat64Union u;
    JSValue v;
    uint32_t number;
    if (!in_has(in, (size_t)n + 1))
        return in_broken(in);
    end = in->p + 1 + n;
    switch (*in->p++) {
    case EXT_UNDEFINED:
        v = JS_UNDEFINED;
        break;
    case EXT_BIGINT:
        v = in_bigint(in, n);
        break;
    case EXT_DATE:
        if (n != 8)
            return in_broken(in);
        u.u64 = in_be(in, 8);
        v = JS_NewDate(ctx, u.d);
        break;
    case EXT_MAP:
        v = in_collection(in, true);
        break;
    case EXT_SET:
        v = in_collection(in, false);
        break;
    case EXT_REF:
        if (n != 4)
            return in_broken(in);
        number = in_be(in, 4);
        if (!in->refs || number >= in->made_count)
            return in_broken(in);
        v = js_dup(in->made[number]);
        break;
    case EXT_FUNCTION:
        if (n != 4)
            return in_broken(in);
        v = make_host_function(ctx, in_be(in, 4));
        break;
    default:
        return in_broken(in);
    }
    if (!JS_IsException(v) && in->p != end) {
        JS_FreeValue(ctx, v);
        return in_broken(in);
    }
    return v;
}

static JSValue in_tagged(In *in)
{
    JSContext *ctx = in->ctx;
    JSFloat64Union u;
    uint32_t n;
    uint8_t tag = *in->p++;
    int width;
    if (tag < 0x80)
        return js_int32(tag);
    if (tag < 0x90)
        return in_record(in, tag & 15);
    if (tag < 0xa0)
        return in_array(in, tag & 15);
    if (tag < 0xc0)
        return in_text(in, tag & 31);
    if (tag >= 0xe0)
        return js_int32((int8_t)tag);
    switch (tag) {
    case 0xc0:
        return JS_NULL;
    case 0xc2:
        return JS_FALSE;
    case 0xc3:
        return JS_TRUE;
    case 0xc4: /* bin 8, 16, 32 */
    case 0xc5:
    case 0xc6:
        width = 1 << (tag - 0xc4);
        if (!in_has(in, width) || (n = in_be(in, width), !in_has(in, n)))
            return in_broken(in);
        in->p += n;
        return JS_NewUint8ArrayCopy(ctx, in->p - n, n);
    case 0xc7: /* ext 8, 16, 32 */
    case 0xc8:
    case 0xc9:
        width = 1 << (tag - 0xc7);
        if (!in_has(in, width))
            return in_broken(in);
        n = in_be(in, width);
        return in_ext(in, n);
    case 0xca:
        if (!in_has(in, 4))
            return in_broken(in);
        {
            uint32_t bits = in_be(in, 4);
            float f;
            memcpy(&f, &bits, 4);
            return JS_NewFloat64(ctx, f);
        }
    case 0xcb:
        if (!in_has(in, 8))
            return in_broken(in);
        u.u64 = in_be(in, 8);
        if (isnan(u.d))
            u.d = NAN; /* a payload must not look like one of the engine's boxed values */
        return JS_NewFloat64(ctx, u.d);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        width = 1 << (tag - 0xcc);
        if (!in_has(in, width))
            return in_broken(in);
        {
            uint64_t v = in_be(in, width);
            return v > 9007199254740991 ? JS_NewBigUint64(ctx, v) : JS_NewInt64(ctx, v);
        }
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        width = 1 << (tag - 0xd0);
        if (!in_has(in, width))
            return in_broken(in);
        {
            uint64_t v = in_be(in, width);
            int shift = 64 - 8 * width;
            return in_int64(ctx, (int64_t)(v << shift) >> shift);
        }
    case 0xd4: /* fixext 1 to 16 */
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return in_ext(in, 1u << (tag - 0xd4));
    case 0xd9: /* str 8, 16, 32 */
    case 0xda:
    case 0xdb:
        width = 1 << (tag - 0xd9);
        if (!in_has(in, width))
            return in_broken(in);
        n = in_be(in, width);
        return in_text(in, n);
    case 0xdc:
    case 0xdd:
        width = 2 << (tag - 0xdc);
        if (!in_has(in, width))
            return in_broken(in);
        n = in_be(in, width);
        return in_array(in, n);
    case 0xde:
    case 0xdf:
        width = 2 << (tag - 0xde);
        if (!in_has(in, width))
            return in_broken(in);
        n = in_be(in, width);
        return in_record(in, n);
    default:
        return in_broken(in);
    }
}

static JSValue in_value(In *in)
{
    JSValue v;
    if (!in_has(in, 1))
        return in_broken(in);
    if (++in->depth > IN_DEPTH_MAX || js_check_stack_overflow(in->ctx->rt, 0)) {
        in->depth--;
        return JS_ThrowRangeError(in->ctx, "a value of the host is nested too deeply for the stack of this run");
    }
    v = in_tagged(in);
    in->depth--;
    return v;
}

/* One whole message. */
static JSValue in_message(JSContext *ctx, const uint8_t *bytes, size_t len, bool refs)
{
    In in = { .ctx = ctx, .p = bytes, .end = bytes + len, .refs = refs };
    JSValue v = in_value(&in);
    size_t i;
    for (i = 0; i < countof(in.names); i++)
        JS_FreeAtom(ctx, in.names[i].atom);
    js_free(ctx, in.made);
    if (!JS_IsException(v) && in.p != in.end) {
        JS_FreeValue(ctx, v);
        return in_broken(&in);
    }
    return v;
}
