// assetToSandbox, sandboxToAsset: bytes between the caller's store and the workspace, by the calls that both have anyway.
(function (global, native, kit) {
  "use strict";

  const { call } = native;

  const assetToSandbox = async function assetToSandbox(assetId, path) {
    await call("workspace", "writeBytes", path, await call("assets", "load", assetId));
    return path;
  };

  const sandboxToAsset = async function sandboxToAsset(path) {
    return await call("assets", "save", path, await call("workspace", "readBytes", path));
  };

  kit.power("assets", { assetToSandbox, sandboxToAsset });
})
