// A file of Kubernetes manifests, split: one document a file, named by kind and name, in a fixed order.
import { dump, loadAll } from "@nodetool-ai/sandbox-yaml";

const order = ["Namespace", "ConfigMap", "Service", "Deployment"];
const files = loadAll(inputs.manifests)
  .filter((each) => each !== null && each !== undefined)
  .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  .map((each) => [`${each.kind.toLowerCase()}-${each.metadata.name}.yaml`, dump(each)]);
return Object.fromEntries(files);
