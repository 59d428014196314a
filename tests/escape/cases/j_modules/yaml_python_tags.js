// ends: value ["YAMLException", "YAMLException", "YAMLException", "YAMLException", "object", "object", "object", "YAMLException"]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
const out = [];
for (const t of ['!!python/object/apply:os.system ["true"]', '!!python/name:os.system', '!!js/function "x"', '!<tag:yaml.org,2002:python/object/new:os.system> []', '&a [*a]', '? [1] : 2', '? {a: 1} : 2', '<<: 5']) { try { out.push(typeof load(t)); } catch (e) { out.push(/python\.|Traceback|\.py|unhashable/.test(e.message) ? e.message : e.name); } }
return out;
