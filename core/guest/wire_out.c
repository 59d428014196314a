/* Guest value -> bytes: one MessagePack value with the extension types of the wire.
 *
 * Read from the engine's tables. What the program can run on the way is what JSON.stringify
 * would run, once: its own getters, its proxies' traps, a `toJSON` that it wrote. Nothing that
 * these do to the object that is being walked can break the walk: whatever is needed later was
 * taken, with a reference, before.
 */

enum {
    EXT_UNDEFINED = 1,
    EXT_BIGINT = 2,
    EXT_DATE = 3,
    EXT_MAP = 4,
    EXT_SET = 5,
    EXT_REF = 6,
    EXT_FUNCTION = 7,
    EXT_CIRCULAR = 8,
    EXT_TOO_DEEP = 9,
};

#define OUT_PATH_MAX 256

typedef struct {
    JSObject *object; /* kept alive by a reference */
    uint32_t number;
} OutSeen;

typedef struct {
    JSContext *ctx;
    uint8_t *bytes;
    size_t len, cap;
    size_t max_bytes;  /* all but binary data */
    size_t max_binary;
    size_t binary;     /* bytes of binary data so far */
    const char *what;  /* names the value in a refusal */
    uint32_t max_depth;
    uint32_t depth;
    uint32_t containers; /* preorder number of the next container */
    bool cutting;   /* over max_bytes: leave out the rest, and say so in `cut` */
    bool cut;
    bool marking;   /* a cycle or too deep a nesting is marked; else it is refused */
    bool refs;      /* a container that occurs again is a reference, a cycle too */
    bool logging;   /* errors, functions and symbols as the text that a reader wants */
    bool functions; /* host functions cross as their number */
    OutSeen *seen;
    uint32_t *seen_index; /* open addressing: index into `seen` plus one */
    uint32_t seen_count, seen_cap, seen_mask;
    JSObject *path[OUT_PATH_MAX];
} Out;

static JSClassID host_function_class; /* set in calls.c */
static uint32_t host_function_number(JSObject *p);

static int out_value(Out *o, JSValueConst v);

static void out_free(Out *o)
{
    uint32_t i;
    for (i = 0; i < o->seen_count; i++)
        JS_FreeValue(o->ctx, JS_MKPTR(JS_TAG_OBJECT, o->seen[i].object));
    js_free(o->ctx, o->seen);
    js_free(o->ctx, o->seen_index);
    js_free(o->ctx, o->bytes);
    memset(o, 0, sizeof(*o));
}

static int out_too_big(Out *o)
{
    JS_ThrowRangeError(o->ctx, "%s: more than %u bytes", o->what, (unsigned)o->max_bytes);
    return -1;
}

/* Room for n more bytes. Over the budget: -1, or, when cutting, 0 with `cut` set. */
static int out_room(Out *o, size_t n)
{
    size_t cap;
    uint8_t *grown;
    if (o->len - o->binary + n > o->max_bytes) {
        if (!o->cutting)
            return out_too_big(o);
        o->cut = true;
        /* the few bytes of a header always fit: budgets are far from the address space */
    }
    if (o->len + n <= o->cap)
        return 0;
    /* a large buffer counts against the program's memory: no more than one long value needs */
    cap = o->cap ? o->cap + (o->cap < (1u << 20) ? o->cap : o->cap / 4) : 256;
    if (cap < o->len + n)
        cap = o->len + n;
    grown = js_realloc(o->ctx, o->bytes, cap);
    if (!grown)
        return -1;
    o->bytes = grown;
    o->cap = cap;
    return 0;
}

static void out_be(Out *o, uint64_t v, int n)
{
    while (n-- > 0)
        o->bytes[o->len++] = v >> (8 * n);
}

static int out_byte(Out *o, uint8_t b)
{
    if (out_room(o, 1))
        return -1;
    o->bytes[o->len++] = b;
    return 0;
}

static int out_tagged(Out *o, uint8_t tag, uint64_t v, int n)
{
    if (out_room(o, 1 + n))
        return -1;
    o->bytes[o->len++] = tag;
    out_be(o, v, n);
    return 0;
}

static int out_int(Out *o, int64_t i)
{
    if (i >= -32 && i < 128)
        return out_byte(o, (uint8_t)i);
    if (i >= INT32_MIN && i <= INT32_MAX)
        return out_tagged(o, 0xd2, (uint32_t)i, 4);
    return out_tagged(o, 0xd3, (uint64_t)i, 8);
}

static int out_double(Out *o, double d)
{
    JSFloat64Union u = { .d = d };
    if (d >= -9007199254740991.0 && d <= 9007199254740991.0 && d == (double)(int64_t)d &&
        (d != 0 || !signbit(d)))
        return out_int(o, (int64_t)d);
    if (isnan(d))
        u.u64 = 0x7ff8000000000000; /* one NaN: its payload is nobody's channel */
    return out_tagged(o, 0xcb, u.u64, 8);
}

static int out_ext0(Out *o, uint8_t type)
{
    if (out_room(o, 3))
        return -1;
    o->bytes[o->len++] = 0xc7;
    o->bytes[o->len++] = 0;
    o->bytes[o->len++] = type;
    return 0;
}

static int out_ext_u32(Out *o, uint8_t type, uint32_t v)
{
    if (out_room(o, 6))
        return -1;
    o->bytes[o->len++] = 0xd6;
    o->bytes[o->len++] = type;
    out_be(o, v, 4);
    return 0;
}

static int out_str_header(Out *o, size_t n)
{
    if (n < 32)
        return out_byte(o, 0xa0 | n);
    if (n < 256)
        return out_tagged(o, 0xd9, n, 1);
    if (n < 65536)
        return out_tagged(o, 0xda, n, 2);
    return out_tagged(o, 0xdb, n, 4);
}

/* The UTF-8 of a string, lone surrogates as three bytes each. A pair may be split over two
   leaves of a rope, so the high half waits in `high`. */
typedef struct {
    Out *o;
    size_t left; /* bytes that may still be written */
    uint32_t high;
    bool full;
} OutText;

static int text_unit(OutText *t, uint32_t c)
{
    Out *o = t->o;
    uint8_t u[4];
    int n;
    if (c < 0x80) {
        u[0] = c;
        n = 1;
    } else if (c < 0x800) {
        u[0] = 0xc0 | (c >> 6);
        u[1] = 0x80 | (c & 63);
        n = 2;
    } else if (c < 0x10000) {
        u[0] = 0xe0 | (c >> 12);
        u[1] = 0x80 | ((c >> 6) & 63);
        u[2] = 0x80 | (c & 63);
        n = 3;
    } else {
        u[0] = 0xf0 | (c >> 18);
        u[1] = 0x80 | ((c >> 12) & 63);
        u[2] = 0x80 | ((c >> 6) & 63);
        u[3] = 0x80 | (c & 63);
        n = 4;
    }
    if ((size_t)n > t->left) {
        t->full = true;
        return 0;
    }
    if (o->len + n > o->cap && out_room(o, n))
        return -1;
    memcpy(o->bytes + o->len, u, n);
    o->len += n;
    t->left -= n;
    return 0;
}

static int text_flat(OutText *t, JSString *s)
{
    uint32_t i, n = s->len;
    if (s->is_wide_char) {
        const uint16_t *p = str16(s);
        for (i = 0; i < n && !t->full; i++) {
            uint32_t c = p[i];
            if (t->high) {
                if (c >= 0xdc00 && c < 0xe000) {
                    c = 0x10000 + ((t->high - 0xd800) << 10) + (c - 0xdc00);
                    t->high = 0;
                    if (text_unit(t, c))
                        return -1;
                    continue;
                }
                if (text_unit(t, t->high))
                    return -1;
                t->high = 0;
            }
            if (c >= 0xd800 && c < 0xdc00)
                t->high = c;
            else if (text_unit(t, c))
                return -1;
        }
        return 0;
    }
    if (t->high && n) {
        if (text_unit(t, t->high))
            return -1;
        t->high = 0;
    }
    {
        const uint8_t *p = str8(s);
        i = 0;
        while (i < n && !t->full) {
            uint32_t run = i;
            while (run < n && p[run] < 0x80)
                run++;
            if (run > i) {
                size_t many = run - i;
                if (many > t->left) {
                    many = t->left;
                    t->full = true;
                }
                if (out_room(t->o, many))
                    return -1;
                memcpy(t->o->bytes + t->o->len, p + i, many);
                t->o->len += many;
                t->left -= many;
                i = run;
            } else if (text_unit(t, p[i++])) {
                return -1;
            }
        }
    }
    return 0;
}

static int text_any(OutText *t, JSValueConst v)
{
    /* the engine keeps ropes shallow (JS_STRING_ROPE_MAX_DEPTH), so this recursion is */
    while (JS_VALUE_GET_TAG(v) == JS_TAG_STRING_ROPE && !t->full) {
        JSStringRope *r = JS_VALUE_GET_STRING_ROPE(v);
        if (text_any(t, r->left))
            return -1;
        v = r->right;
    }
    if (t->full || JS_VALUE_GET_TAG(v) != JS_TAG_STRING)
        return 0;
    return text_flat(t, JS_VALUE_GET_STRING(v));
}

static uint32_t text_units(JSValueConst v)
{
    if (JS_VALUE_GET_TAG(v) == JS_TAG_STRING_ROPE)
        return JS_VALUE_GET_STRING_ROPE(v)->len;
    return JS_VALUE_GET_STRING(v)->len;
}

#define LONG_TEXT_UNITS 65536

/* Room for a long text at once, so that it is not copied from buffer to larger buffer. */
static int out_reserve_text(Out *o, JSValueConst v)
{
    JSString *s;
    size_t n = 0, budget = o->max_bytes - (o->len - o->binary);
    uint32_t i;
    uint8_t *grown;
    if (JS_VALUE_GET_TAG(v) != JS_TAG_STRING || o->len - o->binary > o->max_bytes)
        return 0;
    s = JS_VALUE_GET_STRING(v);
    for (i = 0; i < s->len; i++) {
        uint32_t c = s->is_wide_char ? str16(s)[i] : str8(s)[i];
        /* a surrogate is three bytes alone and two in a pair; three is enough for either */
        n += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    n = (n < budget ? n : budget) + 16;
    if (o->len + n <= o->cap)
        return 0;
    grown = js_realloc(o->ctx, o->bytes, o->len + n);
    if (!grown)
        return -1;
    o->bytes = grown;
    o->cap = o->len + n;
    return 0;
}

static int out_string(Out *o, JSValueConst v)
{
    size_t header, spent = o->len - o->binary;
    uint32_t units = text_units(v);
    OutText t = { .o = o };
    if (units < 32 && JS_VALUE_GET_TAG(v) == JS_TAG_STRING && !JS_VALUE_GET_STRING(v)->is_wide_char) {
        /* the common short string: its bytes are its characters unless one is above ASCII */
        JSString *s = JS_VALUE_GET_STRING(v);
        const uint8_t *p = str8(s);
        uint32_t i = 0;
        while (i < units && p[i] < 0x80)
            i++;
        if (i == units) {
            if (out_room(o, 1 + units))
                return -1;
            o->bytes[o->len++] = 0xa0 | units;
            memcpy(o->bytes + o->len, p, units);
            o->len += units;
            return 0;
        }
    }
    if (out_room(o, 5) || (units >= LONG_TEXT_UNITS && out_reserve_text(o, v)))
        return -1;
    header = o->len;
    o->len += 5;
    t.left = spent + 5 >= o->max_bytes ? 0 : o->max_bytes - spent - 5;
    if (text_any(&t, v))
        return -1;
    if (t.high && !t.full && text_unit(&t, t.high))
        return -1;
    if (t.full) {
        if (!o->cutting)
            return out_too_big(o);
        o->cut = true;
    }
    {
        uint32_t n = o->len - header - 5;
        o->bytes[header] = 0xdb;
        o->bytes[header + 1] = n >> 24;
        o->bytes[header + 2] = n >> 16;
        o->bytes[header + 3] = n >> 8;
        o->bytes[header + 4] = n;
    }
    return 0;
}

static int out_ascii(Out *o, const char *text)
{
    size_t n = strlen(text);
    if (out_str_header(o, n) || out_room(o, n))
        return -1;
    memcpy(o->bytes + o->len, text, n);
    o->len += n;
    return 0;
}

static int out_atom(Out *o, JSAtom atom)
{
    char digits[12];
    if (__JS_AtomIsTaggedInt(atom)) {
        snprintf(digits, sizeof(digits), "%u", (unsigned)__JS_AtomToUInt32(atom));
        return out_ascii(o, digits);
    }
    return out_string(o, JS_MKPTR(JS_TAG_STRING, o->ctx->rt->atom_array[atom]));
}

static int out_binary(Out *o, const uint8_t *data, size_t n)
{
    if (n > o->max_binary || o->binary > o->max_binary - n) {
        JS_ThrowRangeError(o->ctx, "%s: more than %u bytes of binary data", o->what,
                           (unsigned)o->max_binary);
        return -1;
    }
    if (n < 256 ? out_tagged(o, 0xc4, n, 1) : n < 65536 ? out_tagged(o, 0xc5, n, 2)
                                                        : out_tagged(o, 0xc6, n, 4))
        return -1;
    o->binary += n;
    if (o->len + n > o->cap) {
        uint8_t *grown = js_realloc(o->ctx, o->bytes, o->len + n + 256);
        if (!grown) {
            o->binary -= n;
            return -1;
        }
        o->bytes = grown;
        o->cap = o->len + n + 256;
    }
    if (n)
        memcpy(o->bytes + o->len, data, n);
    o->len += n;
    return 0;
}

static int out_bigint(Out *o, JSValueConst v)
{
    JSBigIntBuf buf;
    const JSBigInt *b;
    const uint8_t *limbs; /* little-endian two's complement */
    size_t n, i;
    uint8_t sign;
    if (JS_VALUE_GET_TAG(v) == JS_TAG_SHORT_BIG_INT)
        b = js_bigint_set_short(&buf, v);
    else
        b = JS_VALUE_GET_PTR(v);
    limbs = (const uint8_t *)b->tab;
    n = b->len * sizeof(js_limb_t);
    sign = limbs[n - 1] & 0x80 ? 0xff : 0;
    while (n > 1 && limbs[n - 1] == sign && (limbs[n - 2] & 0x80) == (sign & 0x80))
        n--;
    if (n < 256 ? out_tagged(o, 0xc7, n, 1) : n < 65536 ? out_tagged(o, 0xc8, n, 2)
                                                        : out_tagged(o, 0xc9, n, 4))
        return -1;
    if (out_byte(o, EXT_BIGINT) || out_room(o, n))
        return -1;
    for (i = n; i-- > 0;)
        o->bytes[o->len++] = limbs[i];
    return 0;
}

static int out_date(Out *o, double ms)
{
    JSFloat64Union u = { .d = ms };
    if (isnan(ms))
        u.u64 = 0x7ff8000000000000;
    if (out_room(o, 10))
        return -1;
    o->bytes[o->len++] = 0xd7;
    o->bytes[o->len++] = EXT_DATE;
    out_be(o, u.u64, 8);
    return 0;
}

/* Headers whose count is known only afterwards, or is cut. */
static int out_open(Out *o, uint8_t tag, size_t *at)
{
    if (out_room(o, 5))
        return -1;
    *at = o->len;
    o->bytes[o->len] = tag;
    o->len += 5;
    return 0;
}

static void out_close(Out *o, size_t at, uint32_t count)
{
    o->bytes[at + 1] = count >> 24;
    o->bytes[at + 2] = count >> 16;
    o->bytes[at + 3] = count >> 8;
    o->bytes[at + 4] = count;
}

/* MAP and SET hold one array as their payload: ext32 header, then array32. */
static int out_open_ext(Out *o, uint8_t type, size_t *at)
{
    size_t inner;
    if (out_open(o, 0xc9, at) || out_byte(o, type) || out_open(o, 0xdd, &inner))
        return -1;
    return 0;
}

static void out_close_ext(Out *o, size_t at, uint32_t count)
{
    out_close(o, at, o->len - at - 6);
    out_close(o, at + 6, count);
}

static uint32_t seen_slot(Out *o, JSObject *p)
{
    uint32_t i = ((uint32_t)(uintptr_t)p * 2654435761u) & o->seen_mask;
    while (o->seen_index[i] && o->seen[o->seen_index[i] - 1].object != p)
        i = (i + 1) & o->seen_mask;
    return i;
}

static int seen_grow(Out *o)
{
    uint32_t i, cap = o->seen_cap ? o->seen_cap * 2 : 32;
    OutSeen *seen = js_realloc(o->ctx, o->seen, cap * sizeof(*seen));
    if (!seen)
        return -1;
    o->seen = seen;
    js_free(o->ctx, o->seen_index);
    o->seen_cap = 0;
    o->seen_index = js_calloc(o->ctx, cap * 2, sizeof(*o->seen_index));
    if (!o->seen_index)
        return -1;
    o->seen_cap = cap;
    o->seen_mask = cap * 2 - 1;
    for (i = 0; i < o->seen_count; i++)
        o->seen_index[seen_slot(o, o->seen[i].object)] = i + 1;
    return 0;
}

enum { ENTER_FAILED = -1, ENTERED = 0, ENTER_WRITTEN = 1 };

static int out_mark(Out *o, uint8_t type)
{
    if (o->marking)
        return out_ext0(o, type) ? ENTER_FAILED : ENTER_WRITTEN;
    if (type == EXT_CIRCULAR)
        JS_ThrowTypeError(o->ctx, "%s: a cyclic value cannot cross", o->what);
    else
        JS_ThrowRangeError(o->ctx, "%s: a value is nested deeper than %u levels", o->what, (unsigned)o->max_depth);
    return ENTER_FAILED;
}

/* A container begins: numbered, looked up among those above it, counted against the depth. */
static int out_enter(Out *o, JSObject *p)
{
    uint32_t i;
    if (js_check_stack_overflow(o->ctx->rt, 0)) {
        JS_ThrowStackOverflow(o->ctx);
        return ENTER_FAILED;
    }
    if (o->refs) {
        if (o->seen_count == o->seen_cap && seen_grow(o))
            return ENTER_FAILED;
        i = seen_slot(o, p);
        if (o->seen_index[i])
            return out_ext_u32(o, EXT_REF, o->seen[o->seen_index[i] - 1].number) ? ENTER_FAILED
                                                                               : ENTER_WRITTEN;
        o->seen[o->seen_count].object = JS_VALUE_GET_OBJ(js_dup(JS_MKPTR(JS_TAG_OBJECT, p)));
        o->seen[o->seen_count].number = o->containers;
        o->seen_index[i] = ++o->seen_count;
    } else {
        for (i = 0; i < o->depth; i++)
            if (o->path[i] == p)
                return out_mark(o, EXT_CIRCULAR);
    }
    if (o->depth >= o->max_depth)
        return out_mark(o, EXT_TOO_DEEP);
    o->path[o->depth++] = p;
    o->containers++;
    return ENTERED;
}

/* Functions and symbols, which JSON leaves out too. */
static bool is_dropped(JSValueConst v)
{
    JSObject *p;
    if (JS_VALUE_GET_TAG(v) == JS_TAG_SYMBOL)
        return true;
    if (JS_VALUE_GET_TAG(v) != JS_TAG_OBJECT)
        return false;
    p = JS_VALUE_GET_OBJ(v);
    return p->class_id != JS_CLASS_OBJECT && p->class_id != JS_CLASS_ARRAY && JS_IsFunction(guest_ctx, v);
}

/* What stands where a function or a symbol was. */
static int out_dropped(Out *o, JSValueConst v)
{
    JSValue text;
    const char *name;
    int r;
    if (o->functions && JS_VALUE_GET_TAG(v) == JS_TAG_OBJECT &&
        JS_VALUE_GET_OBJ(v)->class_id == host_function_class)
        return out_ext_u32(o, EXT_FUNCTION, host_function_number(JS_VALUE_GET_OBJ(v)));
    if (!o->logging)
        return out_ext0(o, EXT_UNDEFINED);
    if (JS_VALUE_GET_TAG(v) == JS_TAG_SYMBOL) {
        text = js_symbol_toString(o->ctx, v, 0, NULL);
        if (JS_IsException(text))
            return -1;
        r = out_value(o, text);
        JS_FreeValue(o->ctx, text);
        return r;
    }
    name = get_func_name(o->ctx, v);
    if (name && *name)
        text = JS_ConcatString3(o->ctx, "[Function: ", JS_NewStringLen(o->ctx, name, strlen(name)), "]");
    else
        text = js_new_string8(o->ctx, "[Function (anonymous)]");
    JS_FreeCString(o->ctx, name);
    if (JS_IsException(text))
        return -1;
    r = out_value(o, text);
    JS_FreeValue(o->ctx, text);
    return r;
}

static int out_member(Out *o, JSValueConst v)
{
    return is_dropped(v) ? out_dropped(o, v) : out_value(o, v);
}

static int out_array(Out *o, JSValueConst v)
{
    JSContext *ctx = o->ctx;
    JSObject *p = JS_VALUE_GET_OBJ(v);
    JSValue length = JS_UNDEFINED, item;
    int64_t n;
    uint32_t i;
    size_t at;
    int r = out_enter(o, p);
    if (r)
        return r < 0 ? -1 : 0;
    if (p->class_id == JS_CLASS_ARRAY) {
        /* an array's length is its first property, always a number */
        n = JS_VALUE_GET_TAG(p->prop[0].u.value) == JS_TAG_INT
            ? (uint32_t)JS_VALUE_GET_INT(p->prop[0].u.value)
            : (int64_t)JS_VALUE_GET_FLOAT64(p->prop[0].u.value);
    } else {
        length = JS_GetProperty(ctx, v, JS_ATOM_length);
        if (JS_IsException(length) || JS_ToLengthFree(ctx, &n, length))
            return -1;
    }
    if (n > (int64_t)o->max_bytes) { /* at least a byte each */
        if (!o->cutting)
            return out_too_big(o);
        n = o->max_bytes;
        o->cut = true;
    }
    if (out_open(o, 0xdd, &at))
        return -1;
    for (i = 0; i < n; i++) {
        if (o->cut && o->len - o->binary > o->max_bytes)
            break;
        if (js_poll_interrupts(ctx))
            return -1;
        if (p->class_id == JS_CLASS_ARRAY && p->fast_array && i < p->u.array.count) {
            item = js_dup(p->u.array.u.values[i]);
        } else if (p->class_id == JS_CLASS_PROXY) {
            item = JS_GetPropertyInt64(ctx, v, i);
        } else {
            /* own elements alone: what stands on a prototype is nobody's data */
            JSPropertyDescriptor d;
            JSAtom atom = JS_NewAtomInt64(ctx, i);
            int has = atom == JS_ATOM_NULL ? -1 : JS_GetOwnPropertyInternal(ctx, &d, p, atom);
            JS_FreeAtom(ctx, atom);
            if (has < 0)
                return -1;
            item = JS_UNDEFINED;
            if (has) {
                item = d.value;
                if (d.flags & JS_PROP_GETSET) {
                    item = JS_IsUndefined(d.getter) ? JS_UNDEFINED : JS_Call(ctx, d.getter, v, 0, NULL);
                    JS_FreeValue(ctx, d.getter);
                    JS_FreeValue(ctx, d.setter);
                }
            }
        }
        if (JS_IsException(item))
            return -1;
        r = out_member(o, item);
        JS_FreeValue(ctx, item);
        if (r)
            return -1;
    }
    out_close(o, at, i);
    o->depth--;
    return 0;
}

static int out_collection(Out *o, JSValueConst v, bool is_map)
{
    JSContext *ctx = o->ctx;
    JSObject *p = JS_VALUE_GET_OBJ(v);
    JSMapState *s = p->u.map_state;
    struct list_head *el;
    JSValue *taken;
    uint32_t i = 0, n = 0, written = 0;
    size_t at;
    int r = out_enter(o, p);
    if (r)
        return r < 0 ? -1 : 0;
    list_for_each(el, &s->records)
        n += !list_entry(el, JSMapRecord, link)->empty;
    taken = n ? js_malloc(ctx, sizeof(JSValue) * 2 * n) : NULL;
    if (n && !taken)
        return -1;
    list_for_each(el, &s->records) {
        JSMapRecord *m = list_entry(el, JSMapRecord, link);
        if (m->empty)
            continue;
        taken[2 * i] = js_dup(m->key);
        taken[2 * i + 1] = is_map ? js_dup(m->value) : JS_UNDEFINED;
        i++;
    }
    r = out_open_ext(o, is_map ? EXT_MAP : EXT_SET, &at);
    for (i = 0; !r && i < n && !(o->cut && o->len - o->binary > o->max_bytes); i++) {
        r = js_poll_interrupts(ctx) || out_member(o, taken[2 * i]) ||
            (is_map && out_member(o, taken[2 * i + 1]));
        written++;
    }
    for (i = 0; i < n; i++) {
        JS_FreeValue(ctx, taken[2 * i]);
        JS_FreeValue(ctx, taken[2 * i + 1]);
    }
    js_free(ctx, taken);
    if (r)
        return -1;
    out_close_ext(o, at, is_map ? 2 * written : written);
    o->depth--;
    return 0;
}

/* A data property of the object or of what it inherits from, as text; no code runs for it. */
static JSValue data_text(JSContext *ctx, JSObject *p, JSAtom atom)
{
    int hops = 0;
    for (; p && p->class_id != JS_CLASS_PROXY && hops < 100; hops++) {
        JSProperty *pr;
        JSShapeProperty *prs = find_own_property(&pr, p, atom);
        if (prs) {
            if ((prs->flags & JS_PROP_TMASK) != JS_PROP_NORMAL)
                return JS_UNDEFINED;
            if (JS_IsString(pr->u.value))
                return js_dup(pr->u.value);
            return JS_UNDEFINED;
        }
        p = p->shape->proto;
    }
    return JS_UNDEFINED;
}

static JSValue error_stack(JSObject *p)
{
    if (p->class_id == JS_CLASS_ERROR && JS_IsString(p->u.object_data))
        return js_dup(p->u.object_data);
    return JS_UNDEFINED;
}

/* An error as a reader of logs wants it: "Name: message" and where. */
static int out_error_text(Out *o, JSObject *p)
{
    JSContext *ctx = o->ctx;
    JSValue name = data_text(ctx, p, JS_ATOM_name);
    JSValue message = data_text(ctx, p, JS_ATOM_message);
    JSValue stack = error_stack(p);
    JSValue text;
    int r;
    if (JS_IsUndefined(name))
        name = js_new_string8(ctx, "Error");
    if (JS_IsUndefined(message) || text_units(message) == 0) {
        text = name;
        JS_FreeValue(ctx, message);
    } else {
        text = JS_ConcatString(ctx, JS_ConcatString3(ctx, "", name, ": "), message);
    }
    if (!JS_IsException(text) && JS_IsString(stack) && text_units(stack))
        text = JS_ConcatString(ctx, JS_ConcatString3(ctx, "", text, "\n"), stack);
    else
        JS_FreeValue(ctx, stack);
    if (JS_IsException(text))
        return -1;
    r = out_value(o, text);
    JS_FreeValue(ctx, text);
    return r;
}

static int out_pair(Out *o, JSAtom key, JSValueConst value, uint32_t *count)
{
    if (is_dropped(value) && !(o->functions && JS_VALUE_GET_TAG(value) == JS_TAG_OBJECT &&
                               JS_VALUE_GET_OBJ(value)->class_id == host_function_class))
        return 0;
    (*count)++;
    return out_atom(o, key) || out_member(o, value) ? -1 : 0;
}

/* All own properties are plain, enumerable, named data whose values hold no objects: nothing of
   the program runs while they are written, so they can be read in place. */
static bool is_flat_record(JSContext *ctx, JSObject *p)
{
    JSShapeProperty *prs = get_shape_prop(p->shape);
    uint32_t i;
    if (p->class_id != JS_CLASS_OBJECT || p->is_exotic)
        return false;
    for (i = 0; i < p->shape->prop_count; i++, prs++) {
        if (prs->atom == JS_ATOM_NULL)
            continue;
        if ((prs->flags & (JS_PROP_TMASK | JS_PROP_ENUMERABLE)) != (JS_PROP_NORMAL | JS_PROP_ENUMERABLE) ||
            __JS_AtomIsTaggedInt(prs->atom) ||
            ctx->rt->atom_array[prs->atom]->atom_type != JS_ATOM_TYPE_STRING ||
            JS_VALUE_GET_TAG(p->prop[i].u.value) == JS_TAG_OBJECT ||
            JS_VALUE_GET_TAG(p->prop[i].u.value) == JS_TAG_SYMBOL)
            return false;
        /* a name that looks like a large index sorts before the others */
        if (JS_AtomIsArrayIndex(ctx, &(uint32_t){ 0 }, prs->atom))
            return false;
    }
    return true;
}

static int out_flat_record(Out *o, JSObject *p)
{
    JSShapeProperty *prs = get_shape_prop(p->shape);
    uint32_t i, n = 0;
    size_t at;
    bool small = p->shape->prop_count < 16 && !p->shape->deleted_prop_count;
    if (small ? out_byte(o, 0x80 | p->shape->prop_count) : out_open(o, 0xdf, &at))
        return -1;
    for (i = 0; i < p->shape->prop_count; i++, prs++) {
        if (prs->atom == JS_ATOM_NULL)
            continue;
        if (out_atom(o, prs->atom) || out_value(o, p->prop[i].u.value))
            return -1;
        n++;
        if (!small && o->cut && o->len - o->binary > o->max_bytes)
            break;
    }
    if (!small)
        out_close(o, at, n);
    return 0;
}

static int out_record(Out *o, JSValueConst v)
{
    JSContext *ctx = o->ctx;
    JSObject *p = JS_VALUE_GET_OBJ(v);
    JSPropertyEnum *names = NULL;
    uint32_t i, n = 0, count = 0;
    size_t at;
    int r = out_enter(o, p);
    if (r)
        return r < 0 ? -1 : 0;
    if (js_poll_interrupts(ctx))
        return -1;
    if (is_flat_record(ctx, p)) {
        o->depth--;
        return out_flat_record(o, p);
    }
    if (out_open(o, 0xdf, &at))
        return -1;
    if (p->class_id == JS_CLASS_ERROR) {
        JSValue name = data_text(ctx, p, JS_ATOM_name);
        JSValue message = data_text(ctx, p, JS_ATOM_message);
        if (JS_IsUndefined(name))
            name = js_new_string8(ctx, "Error");
        r = (JS_IsString(name) && out_pair(o, JS_ATOM_name, name, &count)) ||
            (JS_IsString(message) && out_pair(o, JS_ATOM_message, message, &count));
        JS_FreeValue(ctx, name);
        JS_FreeValue(ctx, message);
        if (r)
            return -1;
    }
    if (JS_GetOwnPropertyNames(ctx, &names, &n, v, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY))
        return -1;
    for (i = 0; i < n && !r; i++) {
        JSValue item;
        if (o->cut && o->len - o->binary > o->max_bytes)
            break;
        if (js_poll_interrupts(ctx)) {
            r = -1;
            break;
        }
        if (p->class_id == JS_CLASS_ERROR &&
            (names[i].atom == JS_ATOM_name || names[i].atom == JS_ATOM_message))
            continue;
        if (p->class_id == JS_CLASS_PROXY) {
            item = JS_GetProperty(ctx, v, names[i].atom);
        } else {
            JSPropertyDescriptor d;
            int has = JS_GetOwnPropertyInternal(ctx, &d, p, names[i].atom);
            if (has < 0) {
                r = -1;
                break;
            }
            if (!has)
                continue; /* an earlier getter deleted it */
            item = d.value;
            if (d.flags & JS_PROP_GETSET) {
                item = JS_IsUndefined(d.getter) ? JS_UNDEFINED : JS_Call(ctx, d.getter, v, 0, NULL);
                JS_FreeValue(ctx, d.getter);
                JS_FreeValue(ctx, d.setter);
            }
        }
        if (JS_IsException(item)) {
            r = -1;
            break;
        }
        r = out_pair(o, names[i].atom, item, &count);
        JS_FreeValue(ctx, item);
    }
    js_free_prop_enum(ctx, names, n);
    if (r)
        return -1;
    out_close(o, at, count);
    o->depth--;
    return 0;
}

/* The prototypes that the language brings: a `toJSON` on one of them was put there by somebody
   who does not own the object. */
static bool is_intrinsic_prototype(JSContext *ctx, JSObject *p)
{
    int i;
    for (i = 0; i < JS_CLASS_INIT_COUNT; i++)
        if (JS_VALUE_GET_TAG(ctx->class_proto[i]) == JS_TAG_OBJECT &&
            JS_VALUE_GET_OBJ(ctx->class_proto[i]) == p)
            return true;
    for (i = 0; i < JS_NATIVE_ERROR_COUNT; i++)
        if (JS_VALUE_GET_TAG(ctx->native_error_proto[i]) == JS_TAG_OBJECT &&
            JS_VALUE_GET_OBJ(ctx->native_error_proto[i]) == p)
            return true;
    return false;
}

/* 1: *out is what toJSON returned; 0: there is none; -1: it threw. */
static int call_to_json(Out *o, JSValueConst v, JSValue *out)
{
    JSContext *ctx = o->ctx;
    JSObject *p = JS_VALUE_GET_OBJ(v);
    JSValue method;
    JSValue key;
    int hops;
    for (hops = 0; p && p->class_id != JS_CLASS_PROXY; hops++) {
        JSProperty *pr;
        if (find_own_property(&pr, p, JS_ATOM_toJSON)) {
            if (hops > 0 && is_intrinsic_prototype(ctx, p))
                return 0;
            break;
        }
        p = p->shape->proto;
    }
    if (!p)
        return 0;
    method = JS_GetProperty(ctx, v, JS_ATOM_toJSON);
    if (JS_IsException(method))
        return -1;
    if (!JS_IsFunction(ctx, method)) {
        JS_FreeValue(ctx, method);
        return 0;
    }
    key = js_empty_string(ctx->rt);
    *out = JS_Call(ctx, method, v, 1, (JSValueConst *)&key);
    JS_FreeValue(ctx, key);
    JS_FreeValue(ctx, method);
    return JS_IsException(*out) ? -1 : 1;
}

static int out_regexp(Out *o, JSObject *p)
{
    JSContext *ctx = o->ctx;
    JSValue text = js_dup(JS_MKPTR(JS_TAG_STRING, p->u.regexp.pattern));
    static const struct { int flag; char letter; } letters[] = {
        { LRE_FLAG_INDICES, 'd' }, { LRE_FLAG_GLOBAL, 'g' }, { LRE_FLAG_IGNORECASE, 'i' },
        { LRE_FLAG_MULTILINE, 'm' }, { LRE_FLAG_DOTALL, 's' }, { LRE_FLAG_UNICODE, 'u' },
        { LRE_FLAG_UNICODE_SETS, 'v' }, { LRE_FLAG_STICKY, 'y' },
    };
    char tail[12];
    int flags = lre_get_flags((uint8_t *)str8(p->u.regexp.bytecode)), r;
    size_t i, n = 0;
    tail[n++] = '/';
    for (i = 0; i < countof(letters); i++)
        if (flags & letters[i].flag)
            tail[n++] = letters[i].letter;
    tail[n] = 0;
    text = JS_ConcatString3(ctx, "/", text, tail);
    if (JS_IsException(text))
        return -1;
    r = out_string(o, text);
    JS_FreeValue(ctx, text);
    return r;
}

static int out_object(Out *o, JSValueConst v)
{
    JSContext *ctx = o->ctx;
    JSObject *p = JS_VALUE_GET_OBJ(v);
    JSValue made;
    int r;
    switch (p->class_id) {
    case JS_CLASS_MAP:
        return out_collection(o, v, true);
    case JS_CLASS_SET:
        return out_collection(o, v, false);
    case JS_CLASS_DATE:
        return out_date(o, JS_VALUE_GET_TAG(p->u.object_data) == JS_TAG_INT
                               ? JS_VALUE_GET_INT(p->u.object_data)
                               : JS_VALUE_GET_FLOAT64(p->u.object_data));
    case JS_CLASS_REGEXP:
        return out_regexp(o, p);
    case JS_CLASS_NUMBER:
    case JS_CLASS_STRING:
    case JS_CLASS_BOOLEAN:
    case JS_CLASS_BIG_INT:
        return out_value(o, p->u.object_data);
    case JS_CLASS_ARRAY_BUFFER:
    case JS_CLASS_SHARED_ARRAY_BUFFER: {
        JSArrayBuffer *b = p->u.array_buffer;
        return out_binary(o, b->data, b->detached ? 0 : b->byte_length);
    }
    case JS_CLASS_DATAVIEW: {
        JSTypedArray *t = p->u.typed_array;
        JSArrayBuffer *b = t->buffer->u.array_buffer;
        int64_t n = 0;
        if (!b->detached && t->offset <= (uint32_t)b->byte_length) {
            n = t->track_rab ? (int64_t)b->byte_length - t->offset : (int64_t)t->length;
            if (t->offset + n > b->byte_length)
                n = 0; /* out of bounds since the buffer shrank */
        }
        return out_binary(o, b->data + t->offset, n);
    }
    default:
        if (is_typed_array(p->class_id)) {
            if (typed_array_is_oob(p))
                return out_binary(o, NULL, 0);
            return out_binary(o, p->u.array.u.ptr,
                              (size_t)p->u.array.count << typed_array_size_log2(p->class_id));
        }
    }
    if (o->logging && p->class_id == JS_CLASS_ERROR)
        return out_error_text(o, p);
    r = call_to_json(o, v, &made);
    if (r < 0)
        return -1;
    if (r) {
        if (JS_VALUE_GET_TAG(made) == JS_TAG_OBJECT && !is_dropped(made)) {
            /* what toJSON returns is walked as it is: it is not asked again */
            {
                JSObject *m = JS_VALUE_GET_OBJ(made);
                int is_array = js_is_array(ctx, made);
                if (is_array < 0)
                    r = -1;
                else if (is_array)
                    r = out_array(o, made);
                else if (m->class_id == JS_CLASS_OBJECT || m->class_id == JS_CLASS_PROXY)
                    r = out_record(o, made);
                else if (m->class_id < JS_CLASS_INIT_COUNT && m != p)
                    r = out_object(o, made);
                else
                    r = out_record(o, made);
            }
        } else {
            r = out_member(o, made);
        }
        JS_FreeValue(ctx, made);
        return r ? -1 : 0;
    }
    r = js_is_array(ctx, v);
    if (r < 0)
        return -1;
    return r ? out_array(o, v) : out_record(o, v);
}

static int out_value(Out *o, JSValueConst v)
{
    switch (JS_VALUE_GET_NORM_TAG(v)) {
    case JS_TAG_INT:
        return out_int(o, JS_VALUE_GET_INT(v));
    case JS_TAG_FLOAT64:
        return out_double(o, JS_VALUE_GET_FLOAT64(v));
    case JS_TAG_BOOL:
        return out_byte(o, JS_VALUE_GET_BOOL(v) ? 0xc3 : 0xc2);
    case JS_TAG_NULL:
        return out_byte(o, 0xc0);
    case JS_TAG_UNDEFINED:
        return out_ext0(o, EXT_UNDEFINED);
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return out_string(o, v);
    case JS_TAG_BIG_INT:
    case JS_TAG_SHORT_BIG_INT:
        return out_bigint(o, v);
    case JS_TAG_OBJECT:
        return is_dropped(v) ? out_dropped(o, v) : out_object(o, v);
    default:
        return out_dropped(o, v);
    }
}
