// ends: value [true, true, true, "string", false, true]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
try { load('a: [1'); } catch (e) {
  return [e instanceof Error, Object.getPrototypeOf(e) instanceof Error || Object.getPrototypeOf(e) === Error.prototype, e.constructor.constructor === Object.getPrototypeOf(class { }).constructor, typeof e.stack, String(e.stack).includes('.py'), Object.values(e).every((v) => typeof v !== 'string' || !v.includes('site-packages'))];
}
