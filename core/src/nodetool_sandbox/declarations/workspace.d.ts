/** In a run that was given a folder. Paths are relative to it. */

interface WorkspaceStat {
  exists: boolean;
  size: number;
  isDirectory: boolean;
  isFile: boolean;
  isSymlink: boolean;
  modifiedMs: number;
  createdMs: number;
  accessedMs: number;
}

declare const workspace: {
  /** The text of a file, as UTF-8. */
  read(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Writes a whole file, with the folders above it. */
  write(path: string, content: string): Promise<void>;
  writeBytes(path: string, data: BytesLike | ArrayLike<number>): Promise<void>;
  /** The names in a folder. */
  list(path: string): Promise<string[]>;
  /** What a path is; `exists` is false where nothing is. */
  stat(path: string): Promise<WorkspaceStat>;
  root(): Promise<string>;
  copy(source: string, target: string): Promise<void>;
  move(source: string, target: string): Promise<void>;
  /** Makes a folder, with those above it. */
  mkdir(path: string): Promise<void>;
  /** One file, or one empty folder. */
  remove(path: string): Promise<void>;
};
