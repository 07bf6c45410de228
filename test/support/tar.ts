import { gunzipSync } from 'node:zlib'

const BLOCK = 512
const FILE = new Set(['0', '\0'])

/** The files of a tar.gz by name, as text. */
export function filesOfTar(archive: Buffer): Map<string, string> {
  const bytes = gunzipSync(archive)
  const files = new Map<string, string>()
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const field = (from: number, length: number) =>
      bytes.toString('latin1', at + from, at + from + length).split('\0')[0]!
    const size = Number.parseInt(field(124, 12), 8)
    if (!Number.isInteger(size)) throw new Error(`byte ${at} is not the head of a file`)
    const name = [field(345, 155), field(0, 100)].filter((part) => part !== '').join('/')
    const type = String.fromCharCode(bytes[at + 156]!)
    if (FILE.has(type)) files.set(name, bytes.toString('utf8', at + BLOCK, at + BLOCK + size))
    at += BLOCK * (1 + Math.ceil(size / BLOCK))
  }
  return files
}
