/** In a run that was given the canvas. Drawing is recorded; `toBytes` has it drawn. */

type CanvasMatrix = { a?: number; b?: number; c?: number; d?: number; e?: number; f?: number } | readonly number[];
type CanvasFillRule = "nonzero" | "evenodd";
type CanvasBlend = string;
type CanvasRadii = number | readonly (number | { x?: number; y?: number })[];
/** Encoded bytes, or a handle; a surface is drawn with what its `toBytes` gives. */
type CanvasPicture = BytesLike | ArrayLike<number> | { readonly uri: string };

interface CanvasOutput {
  /** png by default. */
  format?: "png" | "jpeg" | "jpg" | "webp" | "avif";
  /** From 0 to 1, 0.92 by default. */
  quality?: number;
  /** A CSS colour behind everything. */
  background?: string;
  /** Bytes by default. */
  as?: "bytes" | "handle";
}
interface CanvasHandle {
  readonly uri: string;
  readonly mimeType: string;
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}
interface CanvasGradient {
  addColorStop(offset: number, color: string): CanvasGradient;
}
interface CanvasPattern {
  setTransform(matrix?: CanvasMatrix): void;
}
interface CanvasTextMetrics {
  readonly width: number;
  readonly actualBoundingBoxLeft: number;
  readonly actualBoundingBoxRight: number;
  readonly actualBoundingBoxAscent: number;
  readonly actualBoundingBoxDescent: number;
  readonly fontBoundingBoxAscent: number;
  readonly fontBoundingBoxDescent: number;
}

interface CanvasPathMethods<R> {
  closePath(): R;
  moveTo(x: number, y: number): R;
  lineTo(x: number, y: number): R;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): R;
  quadraticCurveTo(x1: number, y1: number, x: number, y: number): R;
  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise?: boolean): R;
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): R;
  ellipse(
    x: number,
    y: number,
    radiusX: number,
    radiusY: number,
    rotation: number,
    from: number,
    to: number,
    counterclockwise?: boolean,
  ): R;
  rect(x: number, y: number, width: number, height: number): R;
  roundRect(x: number, y: number, width: number, height: number, radii?: CanvasRadii): R;
}

declare class Path2D {
  /** Of another path, or of the path data of SVG. */
  constructor(from?: Path2D | string);
  addPath(path: Path2D, matrix?: CanvasMatrix): void;
}
interface Path2D extends CanvasPathMethods<Path2D> {}

declare class ImageData {
  constructor(width: number, height: number);
  constructor(data: Uint8ClampedArray, width: number, height?: number);
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Every method gives the context back, so that calls can be chained. */
interface CanvasContext extends CanvasPathMethods<CanvasContext> {
  readonly canvas: CanvasSurface;
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  lineCap: "butt" | "round" | "square";
  lineJoin: "miter" | "round" | "bevel";
  miterLimit: number;
  lineDashOffset: number;
  globalAlpha: number;
  globalCompositeOperation: CanvasBlend;
  filter: string;
  font: string;
  textAlign: "start" | "end" | "left" | "right" | "center";
  textBaseline: "top" | "hanging" | "middle" | "alphabetic" | "ideographic" | "bottom";
  direction: "ltr" | "rtl" | "inherit";
  letterSpacing: string;
  imageSmoothingEnabled: boolean;
  imageSmoothingQuality: "low" | "medium" | "high";
  shadowColor: string;
  shadowBlur: number;
  shadowOffsetX: number;
  shadowOffsetY: number;
  save(): CanvasContext;
  restore(): CanvasContext;
  translate(x: number, y: number): CanvasContext;
  rotate(angle: number): CanvasContext;
  scale(x: number, y: number): CanvasContext;
  transform(a: number, b: number, c: number, d: number, e: number, f: number): CanvasContext;
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): CanvasContext;
  setTransform(matrix?: CanvasMatrix): CanvasContext;
  resetTransform(): CanvasContext;
  beginPath(): CanvasContext;
  fill(rule?: CanvasFillRule): CanvasContext;
  fill(path: Path2D, rule?: CanvasFillRule): CanvasContext;
  stroke(path?: Path2D): CanvasContext;
  clip(rule?: CanvasFillRule): CanvasContext;
  clip(path: Path2D, rule?: CanvasFillRule): CanvasContext;
  fillRect(x: number, y: number, width: number, height: number): CanvasContext;
  strokeRect(x: number, y: number, width: number, height: number): CanvasContext;
  clearRect(x: number, y: number, width: number, height: number): CanvasContext;
  fillText(text: string, x: number, y: number, maxWidth?: number): CanvasContext;
  strokeText(text: string, x: number, y: number, maxWidth?: number): CanvasContext;
  measureText(text: string): CanvasTextMetrics;
  setLineDash(segments: readonly number[]): CanvasContext;
  getLineDash(): number[];
  drawImage(picture: CanvasPicture, x: number, y: number): CanvasContext;
  drawImage(picture: CanvasPicture, x: number, y: number, width: number, height: number): CanvasContext;
  drawImage(
    picture: CanvasPicture,
    sourceX: number,
    sourceY: number,
    sourceWidth: number,
    sourceHeight: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): CanvasContext;
  createLinearGradient(x0: number, y0: number, x1: number, y1: number): CanvasGradient;
  createRadialGradient(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): CanvasGradient;
  createConicGradient(startAngle: number, x: number, y: number): CanvasGradient;
  createPattern(picture: CanvasPicture, repetition?: "repeat" | "repeat-x" | "repeat-y" | "no-repeat" | "" | null): CanvasPattern;
  createImageData(width: number, height: number): ImageData;
  createImageData(like: ImageData): ImageData;
  putImageData(
    data: ImageData,
    x: number,
    y: number,
    dirtyX?: number,
    dirtyY?: number,
    dirtyWidth?: number,
    dirtyHeight?: number,
  ): CanvasContext;
  /** Has what was recorded so far drawn. */
  getImageData(x: number, y: number, width: number, height: number): ImageData;
}
interface CanvasSurface {
  readonly width: number;
  readonly height: number;
  getContext(kind?: "2d"): CanvasContext;
  toSpec(options?: CanvasOutput): object;
  toBytes(options: CanvasOutput & { as: "handle" }): Promise<CanvasHandle>;
  toBytes(options?: CanvasOutput): Promise<Uint8Array<ArrayBuffer>>;
}

declare function createCanvas(width: number, height: number): CanvasSurface;
declare const canvas: {
  render(spec: object): Promise<Uint8Array<ArrayBuffer>>;
  measureText(text: string, font?: string): Promise<CanvasTextMetrics>;
};
