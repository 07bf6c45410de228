import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Waits until a file is on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes names in a directory survive a power cut. Windows has no such call and needs none. */
export function syncDirectory(dir: string): void {
  if (process.platform !== 'win32') syncFile(dir)
}
