// workspace.*: files of the run's folder. Whatever a path or a value is, the host looks at it again.
(function (global, native, kit) {
  "use strict";

  const { ArrayBuffer, SharedArrayBuffer, TypeError, Uint8Array } = global;
  const isView = ArrayBuffer.isView;
  const call = native.call;

  // What crosses as bytes. Anything else with a length is copied here, under the guest's own limits.
  const asBytes = (data) => {
    if (isView(data) || data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return data;
    if (typeof data === "object" && data !== null && typeof data.length === "number") return new Uint8Array(data);
    throw new TypeError("workspace.writeBytes: data must be a Uint8Array or a list of bytes");
  };

  const workspace = {
    async read(path) {
      return await call("workspace", "read", path);
    },
    async write(path, content) {
      return await call("workspace", "write", path, content);
    },
    async list(path) {
      return await call("workspace", "list", path);
    },
    async readBytes(path) {
      return await call("workspace", "readBytes", path);
    },
    async writeBytes(path, data) {
      return await call("workspace", "writeBytes", path, asBytes(data));
    },
    async stat(path) {
      return await call("workspace", "stat", path);
    },
    async root() {
      return await call("workspace", "root");
    },
    async copy(source, target) {
      return await call("workspace", "copy", source, target);
    },
    async move(source, target) {
      return await call("workspace", "move", source, target);
    },
    async mkdir(path) {
      return await call("workspace", "mkdir", path);
    },
    async remove(path) {
      return await call("workspace", "remove", path);
    },
  };

  kit.power("workspace", { workspace });
})
