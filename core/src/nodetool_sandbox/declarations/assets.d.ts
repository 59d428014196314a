/** In a run that was given assets and a folder. */

interface AssetRef {
  [key: string]: unknown;
}

/** Puts an asset into the folder; where it now is. */
declare function assetToSandbox(assetId: string, path?: string): Promise<string>;
/** Makes an asset of a file of the folder. */
declare function sandboxToAsset(path: string): Promise<AssetRef>;
