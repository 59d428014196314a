// Two versions of a configuration: what changed in its meaning, and the text difference for a reviewer.
import { stats, unified } from "@nodetool-ai/sandbox-diff";
import { load } from "@nodetool-ai/sandbox-yaml";

const flat = (value, path = "") =>
  value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
    : [[path, value]];
const before = new Map(flat(load(inputs.before)));
const after = new Map(flat(load(inputs.after)));
const changes = [...new Set([...before.keys(), ...after.keys()])]
  .filter((path) => before.get(path) !== after.get(path))
  .map((path) => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null }));
return {
  changes,
  lines: await stats(inputs.before, inputs.after),
  patch: await unified(inputs.before, inputs.after, { oldName: "before.yaml", newName: "after.yaml" }),
};
