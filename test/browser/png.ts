import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * Makes a browser's picture small: at most 256 colours, each picture's own. Pages have few; what is left out are shades
 * at the edges of letters. Reads what browsers write (8 bits a channel, RGB or RGBA, opaque, not interlaced).
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = readPixels(png)
  const { palette, indexOf } = paletteOf(pixels)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf(pixels[y * width + x]!)
  const head = Buffer.from(png.subarray(16, 29))
  head[8] = 8
  head[9] = 3
  const colours = Buffer.alloc(palette.length * 3)
  for (const [i, colour] of palette.entries()) colours.writeUIntBE(colour, i * 3, 3)
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const all = Buffer.alloc(body.length + 8)
  all.writeUInt32BE(data.length, 0)
  body.copy(all, 4)
  all.writeUInt32BE(crc32(body), body.length + 4)
  return all
}

/** Colours as 0xrrggbb, row by row. */
function readPixels(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = { 2: 3, 6: 4 }[png[25]!]
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) throw new Error('not a picture as browsers write it')
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const bytes = inflateSync(Buffer.concat(data))
  const stride = width * channels
  let above: Uint8Array = new Uint8Array(stride)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = bytes.subarray(start + 1, start + 1 + stride)
    unfilter(bytes[start]!, row, above, channels)
    above = row
    for (let x = 0; x < width; x++) {
      const at = x * channels
      pixels[y * width + x] = (row[at]! << 16) | (row[at + 1]! << 8) | row[at + 2]!
    }
  }
  return { width, height, pixels }
}

/** Undoes the filter of a row in place; by the PNG specification, section 9. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let i = 0; i < row.length; i++) {
    const a = i < channels ? 0 : row[i - channels]!
    const b = above[i]!
    const c = i < channels ? 0 : above[i - channels]!
    row[i] =
      row[i]! + (filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c))
  }
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** The most frequent colours, and for each other one the nearest of them. */
function paletteOf(pixels: Uint32Array): { palette: number[]; indexOf(colour: number): number } {
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour)
  const known = new Map(palette.map((colour, i) => [colour, i]))
  const distance = (a: number, b: number): number =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  const nearest = (colour: number): number =>
    palette.reduce((best, one, i) => (distance(one, colour) < distance(palette[best]!, colour) ? i : best), 0)
  return {
    palette,
    indexOf(colour) {
      const index = known.get(colour) ?? nearest(colour)
      known.set(colour, index)
      return index
    },
  }
}
