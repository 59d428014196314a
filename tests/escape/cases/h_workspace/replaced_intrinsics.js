// ends: value ["content","outside"]
// powers: workspace
Object.prototype.toJSON = () => "hacked";
Array.prototype[Symbol.iterator] = function* () { yield "evil"; };
Uint8Array.prototype.slice = () => null;
String.prototype.replace = () => "x";
ArrayBuffer.isView = () => false;
globalThis.filesystemAccess = "host";
workspace.mode = "host";
workspace.root = () => "/";
Object.defineProperty(workspace, "root", { value: () => "/" });
await workspace.writeBytes("bytes", new Uint8Array([1, 2]));
const refused = await workspace.read("/etc/hostname").catch((error) => error.message);
return { 0: await workspace.read("file"), 1: refused.includes("outside") ? "outside" : refused, length: 2, toJSON: undefined }.length === 2
  ? [await workspace.read("file"), refused.includes("outside") ? "outside" : refused] : [];
