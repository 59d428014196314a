// getSecret(name): a text, or undefined. Which names and values there are is decided by the host alone.
(function (global, native, kit) {
  "use strict";

  const { call } = native;

  const getSecret = function getSecret(name) {
    return call("secrets", "get", typeof name === "string" ? name : null);
  };

  kit.power("secrets", { getSecret });
})
