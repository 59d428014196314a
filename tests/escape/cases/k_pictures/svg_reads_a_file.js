// ends: value "image.info: could not decode the image (svg) — SVG is a drawing and not pixels; pass PNG, JPEG, GIF, BMP, WebP or AVIF"
// powers: image
const svg = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/><use href="#x"/>&a;</svg>';
try { return await image.info(new TextEncoder().encode(svg)); } catch (e) { return e.message; }
