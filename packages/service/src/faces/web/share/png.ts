import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** red, green, blue and opacity of a pixel */
const CHANNELS = 4
/** bits per channel, colour type with opacity, and the standard compression, filter and interlace methods */
const FORM = [8, 6, 0, 0, 0]

/** Encodes pixels as a PNG off the event loop; flat colours gain nothing from filters. */
export async function pngOf(width: number, height: number, pixels: Buffer): Promise<Buffer> {
  const stride = width * CHANNELS
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set(FORM, 8)
  const data = await promisify<Buffer, { level: number }, Buffer>(deflate)(rows, { level: 6 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const all = Buffer.alloc(body.length + 8)
  all.writeUInt32BE(data.length, 0)
  body.copy(all, 4)
  all.writeUInt32BE(crc32(body), body.length + 4)
  return all
}
