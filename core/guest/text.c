/* UTF-8, base64 and hexadecimal over strings and bytes, for the prelude. */

typedef struct {
    const uint8_t *data;
    size_t len;
} Bytes;

/* The bytes of a typed array (the view's own), DataView or ArrayBuffer. */
static bool bytes_of(JSValueConst v, Bytes *b)
{
    JSObject *p;
    if (JS_VALUE_GET_TAG(v) != JS_TAG_OBJECT)
        return false;
    p = JS_VALUE_GET_OBJ(v);
    b->data = NULL;
    b->len = 0;
    if (p->class_id == JS_CLASS_ARRAY_BUFFER || p->class_id == JS_CLASS_SHARED_ARRAY_BUFFER) {
        if (!p->u.array_buffer->detached) {
            b->data = p->u.array_buffer->data;
            b->len = p->u.array_buffer->byte_length;
        }
        return true;
    }
    if (p->class_id == JS_CLASS_DATAVIEW) {
        JSTypedArray *t = p->u.typed_array;
        JSArrayBuffer *a = t->buffer->u.array_buffer;
        if (!a->detached && t->offset <= (uint32_t)a->byte_length) {
            size_t n = t->track_rab ? a->byte_length - t->offset : t->length;
            if (t->offset + n <= (size_t)a->byte_length) {
                b->data = a->data + t->offset;
                b->len = n;
            }
        }
        return true;
    }
    if (!is_typed_array(p->class_id))
        return false;
    if (!typed_array_is_oob(p)) {
        b->data = p->u.array.u.ptr;
        b->len = (size_t)p->u.array.count << typed_array_size_log2(p->class_id);
    }
    return true;
}

/* A string as UTF-8 in a block of its own; lone surrogates become U+FFFD. */
static uint8_t *utf8_of(JSContext *ctx, JSValueConst v, size_t *len)
{
    JSValue s = JS_ToString(ctx, v);
    JSString *p;
    uint8_t *out, *q;
    uint32_t i;
    if (JS_IsException(s))
        return NULL;
    if (JS_VALUE_GET_TAG(s) == JS_TAG_STRING_ROPE) {
        JSValue flat = js_linearize_string_rope(ctx, s);
        JS_FreeValue(ctx, s);
        if (JS_IsException(flat))
            return NULL;
        s = flat;
    }
    p = JS_VALUE_GET_STRING(s);
    q = out = js_malloc(ctx, (size_t)p->len * (p->is_wide_char ? 3 : 2) + 1);
    for (i = 0; out && i < p->len; i++) {
        uint32_t c = p->is_wide_char ? str16(p)[i] : str8(p)[i];
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < p->len && str16(p)[i + 1] >= 0xdc00 && str16(p)[i + 1] < 0xe000)
            c = 0x10000 + ((c - 0xd800) << 10) + (str16(p)[++i] - 0xdc00);
        else if (c >= 0xd800 && c < 0xe000)
            c = 0xfffd;
        if (c < 0x80) {
            *q++ = c;
        } else if (c < 0x800) {
            *q++ = 0xc0 | (c >> 6);
            *q++ = 0x80 | (c & 63);
        } else if (c < 0x10000) {
            *q++ = 0xe0 | (c >> 12);
            *q++ = 0x80 | ((c >> 6) & 63);
            *q++ = 0x80 | (c & 63);
        } else {
            *q++ = 0xf0 | (c >> 18);
            *q++ = 0x80 | ((c >> 12) & 63);
            *q++ = 0x80 | ((c >> 6) & 63);
            *q++ = 0x80 | (c & 63);
        }
    }
    *len = out ? q - out : 0;
    JS_FreeValue(ctx, s);
    return out;
}

static JSValue native_encode_utf8(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t n;
    uint8_t *bytes = utf8_of(ctx, argv[0], &n);
    JSValue array;
    if (!bytes)
        return JS_EXCEPTION;
    array = JS_NewUint8ArrayCopy(ctx, bytes, n);
    js_free(ctx, bytes);
    return array;
}

/* decodeUtf8(bytes, fatal): the UTF-8 decoder of the Encoding Standard: each maximal part of a
   broken sequence is one U+FFFD, or, when fatal, null is returned. */
static JSValue native_decode_utf8(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    Bytes b;
    StringBuffer out;
    size_t i = 0;
    bool fatal = JS_ToBool(ctx, argv[1]);
    if (!bytes_of(argv[0], &b))
        return JS_ThrowTypeError(ctx, "TextDecoder.decode: expected an ArrayBuffer or a view of one");
    if (string_buffer_init(ctx, &out, b.len < 65536 ? b.len : 65536))
        return JS_EXCEPTION;
    while (i < b.len) {
        uint32_t c = b.data[i++], low = 0x80, high = 0xbf;
        int need = c < 0x80 ? 0 : c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2 : c >= 0xf0 && c <= 0xf4 ? 3 : -1;
        if (need > 0) {
            if (c == 0xe0)
                low = 0xa0;
            if (c == 0xed)
                high = 0x9f;
            if (c == 0xf0)
                low = 0x90;
            if (c == 0xf4)
                high = 0x8f;
            c &= need == 1 ? 0x1f : need == 2 ? 0x0f : 0x07;
            while (need > 0 && i < b.len && b.data[i] >= low && b.data[i] <= high) {
                c = c << 6 | (b.data[i++] & 63);
                low = 0x80;
                high = 0xbf;
                need--;
            }
        }
        if (need) {
            if (fatal) {
                string_buffer_free(&out);
                return JS_NULL;
            }
            c = 0xfffd;
        }
        if (string_buffer_putc(&out, c))
            return JS_EXCEPTION;
    }
    return string_buffer_end(&out);
}

static const char base64_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static JSValue base64_of(JSContext *ctx, const uint8_t *data, size_t len)
{
    JSString *s = js_alloc_string(ctx, (len + 2) / 3 * 4, 0);
    uint8_t *q;
    size_t i;
    if (!s)
        return JS_EXCEPTION;
    q = str8(s);
    for (i = 0; i < len; i += 3) {
        uint32_t left = len - i;
        uint32_t v = data[i] << 16 | (left > 1 ? data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
        *q++ = base64_alphabet[v >> 18];
        *q++ = base64_alphabet[(v >> 12) & 63];
        *q++ = left > 1 ? base64_alphabet[(v >> 6) & 63] : '=';
        *q++ = left > 2 ? base64_alphabet[v & 63] : '=';
    }
    *q = 0;
    return JS_MKPTR(JS_TAG_STRING, s);
}

static JSValue native_to_base64(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    Bytes b;
    uint8_t *owned = NULL;
    JSValue text;
    if (JS_IsString(argv[0])) {
        owned = utf8_of(ctx, argv[0], &b.len);
        if (!owned)
            return JS_EXCEPTION;
        b.data = owned;
    } else if (!bytes_of(argv[0], &b)) {
        return JS_ThrowTypeError(ctx, "toBase64: expected a string or bytes (a typed array or an ArrayBuffer)");
    }
    text = base64_of(ctx, b.data, b.len);
    js_free(ctx, owned);
    return text;
}

/* btoa(text): base64 of a text whose characters are bytes; null where one is not. */
static JSValue native_btoa(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t n, i, out = 0;
    uint8_t *text = utf8_of(ctx, argv[0], &n); /* a character past 127 is two bytes that begin with C2 or C3 */
    JSValue result = JS_NULL;
    if (!text)
        return JS_EXCEPTION;
    for (i = 0; i < n && (text[i] < 0x80 || text[i] == 0xc2 || text[i] == 0xc3); i++) {
        uint8_t c = text[i];
        if (c >= 0x80)
            c = (c & 3) << 6 | (text[++i] & 63);
        text[out++] = c;
    }
    if (i == n)
        result = base64_of(ctx, text, out);
    js_free(ctx, text);
    return result;
}

/* Both take String(x) and pass over every character that is not a digit of theirs. */
static int digit64(uint32_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static int digit16(uint32_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? (int)(c - 'a' + 10) : -1;
}

static JSValue native_from_digits(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int bits)
{
    size_t n, i, out = 0;
    uint8_t *text = utf8_of(ctx, argv[0], &n); /* decoded in place: output is shorter than input */
    uint32_t hold = 0, held = 0;
    JSValue array;
    if (!text)
        return JS_EXCEPTION;
    for (i = 0; i < n; i++) {
        int d = bits == 6 ? digit64(text[i]) : digit16(text[i]);
        if (d < 0)
            continue;
        hold = hold << bits | d;
        held += bits;
        if (held >= 8) {
            held -= 8;
            text[out++] = hold >> held;
        }
    }
    array = JS_NewUint8ArrayCopy(ctx, text, out);
    js_free(ctx, text);
    return array;
}

/* atob(text): as the HTML standard forgives, and no more; null where it does not. */
static JSValue native_atob(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t n, i, out = 0;
    uint8_t *text = utf8_of(ctx, argv[0], &n);
    uint32_t hold = 0, held = 0, digits = 0, padding = 0;
    JSString *s = NULL;
    bool good = true;
    if (!text)
        return JS_EXCEPTION;
    for (i = 0; good && i < n; i++) {
        uint32_t c = text[i];
        int d = c == '-' || c == '_' ? -1 : digit64(c); /* those two are of another alphabet */
        if (c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'))
            continue;
        digits++;
        if (c == '=') {
            good = ++padding < 3;
        } else if (d < 0 || padding) {
            good = false;
        } else {
            hold = hold << 6 | d;
            held += 6;
            if (held >= 8) {
                held -= 8;
                text[out++] = hold >> held;
            }
        }
    }
    /* padding is optional, and where it stands it makes whole groups of four */
    good = good && (digits - padding) % 4 != 1 && !(padding && digits % 4);
    if (good) {
        s = js_alloc_string(ctx, out, 0);
        if (s) {
            memcpy(str8(s), text, out);
            str8(s)[out] = 0;
        }
    }
    js_free(ctx, text);
    return !good ? JS_NULL : s ? JS_MKPTR(JS_TAG_STRING, s) : JS_EXCEPTION;
}

static JSValue native_to_hex(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    Bytes b;
    JSString *s;
    size_t i;
    if (!bytes_of(argv[0], &b))
        return JS_ThrowTypeError(ctx, "toHex: expected bytes (a typed array or an ArrayBuffer)");
    if (b.len > JS_STRING_LEN_MAX / 2)
        return JS_ThrowRangeError(ctx, "invalid string length");
    s = js_alloc_string(ctx, b.len * 2, 0);
    if (!s)
        return JS_EXCEPTION;
    for (i = 0; i < b.len; i++) {
        str8(s)[2 * i] = "0123456789abcdef"[b.data[i] >> 4];
        str8(s)[2 * i + 1] = "0123456789abcdef"[b.data[i] & 15];
    }
    str8(s)[2 * b.len] = 0;
    return JS_MKPTR(JS_TAG_STRING, s);
}

/* The structured clone of the engine's own serializer: shared parts and cycles stay as they are. */
static JSValue native_clone(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t n;
    uint8_t *bytes = JS_WriteObject(ctx, &n, argv[0], JS_WRITE_OBJ_REFERENCE);
    JSValue copy;
    if (!bytes)
        return JS_EXCEPTION;
    copy = JS_ReadObject(ctx, bytes, n, JS_READ_OBJ_REFERENCE);
    js_free(ctx, bytes);
    return copy;
}

/* random(n): so many bytes of the host's, at most as many as one import gives. */
#define RANDOM_BYTES 65536
static JSValue native_random(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSValue array;
    uint8_t *bytes;
    uint32_t n;
    if (JS_ToUint32(ctx, &n, argv[0]))
        return JS_EXCEPTION;
    if (n > RANDOM_BYTES)
        n = RANDOM_BYTES;
    bytes = js_malloc(ctx, n ? n : 1);
    if (!bytes)
        return JS_EXCEPTION;
    if (n)
        host_random(bytes, n);
    array = JS_NewUint8ArrayCopy(ctx, bytes, n);
    js_free(ctx, bytes);
    return array;
}
