/* Date's setters, as the language has them: given NaN or an infinity, they make the date invalid.
 *
 * The engine's own return NaN then and leave the date as it was, so a program that checks the date
 * takes a wrong one for right: date-fns's parseISO("soon") was 1970.
 */

static JSValue date_set(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int magic)
{
    JSValue set = magic ? set_date_field(ctx, this_val, argc, argv, magic)
                        : js_date_setYear(ctx, this_val, argc, argv);
    if (JS_VALUE_GET_NORM_TAG(set) == JS_TAG_FLOAT64 && isnan(JS_VALUE_GET_FLOAT64(set)))
        return JS_SetThisTimeValue(ctx, this_val, NAN);
    return set;
}

/* As in the engine's own table: name, length, fields. */
static const struct { const char *name; int length; int magic; } date_setters[] = {
    { "setMilliseconds", 1, 0x671 }, { "setUTCMilliseconds", 1, 0x670 },
    { "setSeconds", 2, 0x571 },      { "setUTCSeconds", 2, 0x570 },
    { "setMinutes", 3, 0x471 },      { "setUTCMinutes", 3, 0x470 },
    { "setHours", 4, 0x371 },        { "setUTCHours", 4, 0x370 },
    { "setDate", 1, 0x231 },         { "setUTCDate", 1, 0x230 },
    { "setMonth", 2, 0x131 },        { "setUTCMonth", 2, 0x130 },
    { "setFullYear", 3, 0x031 },     { "setUTCFullYear", 3, 0x030 },
    { "setYear", 1, 0 },
};

static int define_date_setters(JSContext *ctx)
{
    JSValue proto = ctx->class_proto[JS_CLASS_DATE];
    for (size_t i = 0; i < countof(date_setters); i++) {
        JSValue f = JS_NewCFunctionMagic(ctx, date_set, date_setters[i].name, date_setters[i].length,
                                         JS_CFUNC_generic_magic, date_setters[i].magic);
        if (JS_DefinePropertyValueStr(ctx, proto, date_setters[i].name, f,
                                      JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0)
            return -1;
    }
    return 0;
}
