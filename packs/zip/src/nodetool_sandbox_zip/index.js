// The guest half of the pack: text to bytes and back, at once, and the names of fflate that a program may
// still hold. Archives themselves are the host's, through ./host, and asynchronous.
import { deflate, gunzip, gzip, inflate, list, unzip, zip } from "./host";

/** The bytes of a text: UTF-8, or one byte a character where `latin1` is true. */
function strToU8(text, latin1) {
  const string = String(text);
  if (!latin1) return new TextEncoder().encode(string);
  const bytes = new Uint8Array(string.length);
  for (let index = 0; index < string.length; index += 1) bytes[index] = string.charCodeAt(index);
  return bytes;
}

/** The text of bytes: UTF-8, or one character a byte where `latin1` is true. */
function strFromU8(bytes, latin1) {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  if (!latin1) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(view);
  let text = "";
  for (let start = 0; start < view.length; start += 8192) {
    text += String.fromCharCode.apply(null, view.subarray(start, start + 8192));
  }
  return text;
}

function notHere(name, instead) {
  return () => {
    throw new Error(`zip: ${name} is not available here, archives are packed outside of this program; ${instead}`);
  };
}

const unzipSync = notHere("unzipSync", "use await unzip(bytes)");
const zipSync = notHere("zipSync", "use await zip(files)");
const gzipSync = notHere("gzipSync", "use await gzip(data)");
const gunzipSync = notHere("gunzipSync", "use await gunzip(bytes)");
const decompressSync = notHere("decompressSync", "use await gunzip(bytes) or await inflate(bytes)");
const deflateSync = notHere("deflateSync", "use await deflate(data, { raw: true })");
const inflateSync = notHere("inflateSync", "use await inflate(bytes, { raw: true })");
const zlibSync = notHere("zlibSync", "use await deflate(data)");
const unzlibSync = notHere("unzlibSync", "use await inflate(bytes)");

export {
  decompressSync,
  deflate,
  deflateSync,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  inflate,
  inflateSync,
  list,
  strFromU8,
  strToU8,
  unzip,
  unzipSync,
  unzlibSync,
  zip,
  zipSync,
  zlibSync,
};
export default Object.freeze({
  decompressSync,
  deflate,
  deflateSync,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  inflate,
  inflateSync,
  list,
  strFromU8,
  strToU8,
  unzip,
  unzipSync,
  unzlibSync,
  zip,
  zipSync,
  zlibSync,
});
