import { readSync, writeSync } from 'node:fs'

/** Writes all of `bytes` at `offset`; throws if the disk does not accept them. */
export function writeAll(file: number, bytes: Buffer, offset: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = writeSync(file, bytes, done, bytes.length - done, offset + done)
    if (written === 0) throw new Error('nothing was written')
    done += written
  }
}

/** Reads up to `length` bytes from `offset` into a new buffer. */
export function readUpTo(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, length))
  let done = 0
  while (done < bytes.length) {
    const read = readSync(file, bytes, done, bytes.length - done, offset + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}
