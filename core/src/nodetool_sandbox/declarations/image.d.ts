/** In a run that was given pictures. */

interface ImageHandle {
  readonly uri: string;
  readonly mimeType: string;
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}
/** Encoded bytes, or a handle. */
type Picture = BytesLike | ArrayLike<number> | ImageHandle;

interface ImageOutput {
  /** png by default. */
  format?: "png" | "jpeg" | "jpg" | "webp" | "avif";
  /** From 0 to 1, 0.92 by default. */
  quality?: number;
  /** A CSS colour. */
  background?: string;
  as?: "bytes" | "handle";
}
interface ImageChannel {
  mean: number;
  min: number;
  max: number;
}
interface ImageLayer {
  image: Picture;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  opacity?: number;
  blendMode?: string;
}
interface ImageAdjustments {
  brightness?: number;
  contrast?: number;
  saturate?: number;
  grayscale?: number;
  sepia?: number;
  invert?: number;
  /** Pixels. */
  blur?: number;
  /** Degrees. */
  hueRotate?: number;
  opacity?: number;
}

type ImageBytes = Uint8Array<ArrayBuffer>;
/** A handle for a handle, bytes for bytes, and what `as` says where it says it. */
type ImageResult<P, O> = O extends { as: "handle" }
  ? ImageHandle
  : O extends { as: "bytes" }
    ? ImageBytes
    : P extends ImageHandle
      ? ImageHandle
      : ImageBytes;

declare const image: {
  info(picture: Picture): Promise<{ width: number; height: number; format: string; byteLength: number }>;
  open(picture: Picture): Promise<ImageHandle>;
  bytes(picture: Picture): Promise<ImageBytes>;
  release(picture: Picture): Promise<void>;
  stats(picture: Picture): Promise<{
    width: number;
    height: number;
    pixels: number;
    luminance: number;
    opaque: boolean;
    channels: { r: ImageChannel; g: ImageChannel; b: ImageChannel; a: ImageChannel };
  }>;
  decode(picture: Picture): Promise<{ width: number; height: number; pixels: ImageBytes }>;
  encode<O extends ImageOutput>(
    pixels: { width: number; height: number; pixels: BytesLike | ArrayLike<number> },
    options?: O,
  ): Promise<ImageResult<Uint8Array, O>>;
  resize<P extends Picture, O extends ImageOutput & { width?: number; height?: number; fit?: "contain" | "cover" | "fill" }>(
    picture: P,
    options: O,
  ): Promise<ImageResult<P, O>>;
  crop<P extends Picture, O extends ImageOutput & { x?: number; y?: number; width?: number; height?: number }>(
    picture: P,
    options: O,
  ): Promise<ImageResult<P, O>>;
  rotate<P extends Picture, O extends ImageOutput>(picture: P, degrees: number, options?: O): Promise<ImageResult<P, O>>;
  flip<P extends Picture, O extends ImageOutput & { horizontal?: boolean; vertical?: boolean }>(
    picture: P,
    options?: O,
  ): Promise<ImageResult<P, O>>;
  adjust<P extends Picture, O extends ImageOutput & ImageAdjustments>(picture: P, options: O): Promise<ImageResult<P, O>>;
  composite<P extends Picture, O extends ImageOutput>(
    picture: P,
    layers: readonly ImageLayer[],
    options?: O,
  ): Promise<ImageResult<P, O>>;
  convert<P extends Picture, O extends ImageOutput>(picture: P, options?: O): Promise<ImageResult<P, O>>;
  blank<O extends ImageOutput & { color?: string }>(
    width: number,
    height: number,
    options?: O,
  ): Promise<O extends { as: "bytes" } ? ImageBytes : ImageHandle>;
  pad<
    P extends Picture,
    O extends ImageOutput & { all?: number; top?: number; right?: number; bottom?: number; left?: number; color?: string },
  >(
    picture: P,
    options: O,
  ): Promise<ImageResult<P, O>>;
  grid<P extends Picture, O extends ImageOutput & { columns?: number; gap?: number }>(
    pictures: readonly P[],
    options?: O,
  ): Promise<ImageResult<P, O>>;
};
