/* The guest: QuickJS-ng and our shim as one translation unit.
 *
 * The engine's source is included and not linked, because the shim reads values out of the
 * engine's own tables (properties, map records, typed arrays, ropes): nothing on that way can
 * be replaced by the program that runs. One file below is one idea.
 */

#include "quickjs.c"

#undef malloc
#undef free
#undef realloc
#include <malloc.h>
#include <stdlib.h>

#include "shared.c"  /* the words that both sides of the wall read and write */
#include "host.c"    /* the imports, and the libc calls that must not become imports */
#include "heap.c"    /* the memory cap */
#include "wire_out.c" /* guest value -> bytes */
#include "wire_in.c"  /* bytes -> guest value */
#include "calls.c"   /* asynchronous and synchronous host calls */
#include "logs.c"    /* console and progress */
#include "text.c"    /* UTF-8, base64, hex */
#include "dates.c"   /* setters that make a date invalid */
#include "modules.c" /* import: normalize, load, the bridge */
#include "run.c"     /* bake, run, settle: the exports */
