// ends: value [["../x","refused"],["/etc/x","refused"],["__proto__","inside"],["a/../../x","refused"],["a/./b","inside"]]
// modules: @nodetool-ai/sandbox-zip
// powers: workspace
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const names = ["../x", "/etc/x", "__proto__", "a/../../x", "a/./b"];
const files = Object.create(null);
for (const name of names) Object.defineProperty(files, name, { value: new Uint8Array([1]), enumerable: true });
const seen = [];
for (const [name, bytes] of Object.entries(await unzip(await zip(files)))) {
  seen.push([name, await workspace.writeBytes(name, bytes).then(() => "inside", () => "refused")]);
}
if ({}.x !== undefined) seen.push("polluted");
return seen.sort();
