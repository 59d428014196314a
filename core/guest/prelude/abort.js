// AbortController and AbortSignal, and the one timer, which listens to them.
//
// A signal is no EventTarget of its own class: it has what programs and libraries use of one.
(function (global, native, kit) {
  "use strict";

  const { Error, Promise, String, Reflect, Symbol, TypeError } = global;
  const { apply, defineProperty, setPrototypeOf } = Reflect;
  const { isFinite } = global;
  const { call } = native;
  const then = Promise.prototype.then;
  const rejected = Promise.reject;
  const floor = global.Math.floor;

  // An error that programs tell by its name, as browsers' DOMException is told.
  const named = (name, message) => {
    const error = new Error(message);
    kit.define(error, "name", name);
    return error;
  };
  kit.named = named;

  const { bare } = kit;
  // What a listener throws is nobody's to catch: it is told like a rejection that nobody handles.
  const report = (error) => void apply(rejected, Promise, [error]);

  const OURS = {}; // only we make signals
  let abort; // (signal, reason)
  let watch; // (signal, function): called before any listener, with the reason
  let isSignal;

  class AbortSignal {
    #aborted = false;
    #reason;
    #watchers = bare();
    #listeners = bare();
    #handler = null;

    constructor(made) {
      if (made !== OURS) throw new TypeError("AbortSignal: use new AbortController().signal, AbortSignal.timeout or AbortSignal.any");
    }
    get aborted() {
      return this.#aborted;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }
    get onabort() {
      return this.#handler;
    }
    set onabort(handler) {
      this.#listeners; // a receiver of another kind ends here
      this.#handler = typeof handler === "function" ? handler : null;
    }
    addEventListener(type, listener, options = undefined) {
      const listeners = this.#listeners;
      if (String(type) !== "abort" || listener === null || listener === undefined) return;
      if (typeof listener !== "function" && typeof listener !== "object")
        throw new TypeError("AbortSignal.addEventListener: the listener must be a function or an object with handleEvent");
      // a signal fires once, so `once` says nothing new
      const until = options !== null && typeof options === "object" ? options.signal : undefined;
      if (until !== undefined) {
        if (!isSignal(until)) throw new TypeError("AbortSignal.addEventListener: signal must be an AbortSignal");
        if (until.#aborted) return;
        watch(until, () => apply(removeEventListener, this, [type, listener]));
      }
      for (let i = 0; i < listeners.length; i++) if (listeners[i].listener === listener) return;
      listeners[listeners.length] = { listener, gone: false };
    }
    removeEventListener(type, listener) {
      const listeners = this.#listeners;
      if (String(type) !== "abort") return;
      this.#listeners = bare();
      for (let i = 0; i < listeners.length; i++)
        if (listeners[i].listener !== listener) this.#listeners[this.#listeners.length] = listeners[i];
        else listeners[i].gone = true;
    }

    static abort(reason = undefined) {
      const signal = new AbortSignal(OURS);
      abort(signal, reason);
      return signal;
    }
    static timeout(ms) {
      const wait = +ms;
      if (!(wait >= 0) || !isFinite(wait)) throw new TypeError("AbortSignal.timeout: expected a number of milliseconds, 0 or more");
      const signal = new AbortSignal(OURS);
      expire(signal, floor(wait));
      return signal;
    }
    static any(signals) {
      const dependent = new AbortSignal(OURS);
      const sources = bare();
      for (const source of signals) {
        if (!isSignal(source)) throw new TypeError("AbortSignal.any: expected signals");
        sources[sources.length] = source;
      }
      for (let i = 0; i < sources.length; i++) {
        if (sources[i].#aborted) {
          abort(dependent, sources[i].#reason);
          return dependent;
        }
      }
      for (let i = 0; i < sources.length; i++) watch(sources[i], (reason) => abort(dependent, reason));
      return dependent;
    }

    #fire() {
      const event = { type: "abort", target: this, currentTarget: this, isTrusted: true };
      const handler = this.#handler;
      const listeners = this.#listeners; // one that is removed meanwhile is marked as gone
      if (handler !== null) tell(handler, this, event);
      for (let i = 0, count = listeners.length; i < count; i++) {
        const { listener, gone } = listeners[i];
        if (gone) continue;
        if (typeof listener === "function") tell(listener, this, event);
        else tell(handleEvent, undefined, listener, event);
      }
      this.#listeners = bare();
    }
    static {
      isSignal = (value) => typeof value === "object" && value !== null && #aborted in value;
      watch = (signal, watcher) => {
        signal.#watchers[signal.#watchers.length] = watcher;
      };
      abort = (signal, reason) => {
        if (signal.#aborted) return;
        signal.#aborted = true;
        signal.#reason = reason === undefined ? named("AbortError", "This operation was aborted") : reason;
        const watchers = signal.#watchers;
        signal.#watchers = bare();
        for (let i = 0; i < watchers.length; i++) watchers[i](signal.#reason);
        signal.#fire();
      };
    }
  }
  const removeEventListener = AbortSignal.prototype.removeEventListener;
  const handleEvent = (listener, event) => listener.handleEvent(event);
  const tell = (listener, receiver, ...given) => {
    try {
      apply(listener, receiver, given);
    } catch (error) {
      report(error);
    }
  };

  const MAX_SLEEP_MS = 5000;

  // A wait longer than one sleep is several.
  const expire = async (signal, wait) => {
    try {
      do {
        const part = wait > MAX_SLEEP_MS ? MAX_SLEEP_MS : wait;
        await call("sleep", "", part);
        wait -= part;
      } while (wait > 0);
    } catch (error) {
      abort(signal, error); // no call is left to wait with: rather at once than never
    }
    abort(signal, named("TimeoutError", "The operation was aborted due to timeout"));
  };

  class AbortController {
    #signal = new AbortSignal(OURS);
    get signal() {
      return this.#signal;
    }
    abort(reason = undefined) {
      abort(this.#signal, reason);
    }
  }
  for (const type of [AbortSignal, AbortController])
    defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });

  const sleep = function sleep(ms, options = undefined) {
    let wait = 0;
    try {
      wait = +ms;
    } catch {
      // a symbol, a bigint, an object that refuses: no number, so no wait
    }
    if (!(wait > 0)) wait = 0;
    if (wait > MAX_SLEEP_MS) wait = MAX_SLEEP_MS;
    const signal = options === undefined || options === null ? undefined : options.signal;
    if (signal === undefined || signal === null) return call("sleep", "", wait);
    return new Promise((resolve, reject) => {
      if (!isSignal(signal)) throw new TypeError("sleep: signal must be an AbortSignal");
      signal.throwIfAborted();
      watch(signal, reject);
      apply(then, call("sleep", "", wait), [resolve, reject]);
    });
  };

  kit.expose({ AbortController, AbortSignal, sleep });
})
