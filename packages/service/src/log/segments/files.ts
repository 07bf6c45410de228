import { readSync, writeSync } from 'node:fs'

/** Writes all of `bytes` at `offset`; throws where the disk does not take them. */
export function writeAll(file: number, bytes: Buffer, offset: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = writeSync(file, bytes, done, bytes.length - done, offset + done)
    if (written === 0) throw new Error('nothing was written')
    done += written
  }
}

/** What the file has of `length` bytes from `offset` on. The buffer is the answer's own. */
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
