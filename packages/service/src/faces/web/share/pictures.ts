import { fileURLToPath } from 'node:url'
import type { Taken } from '../../../access/shared/shared.ts'
import { BUILT } from '../../../base/root.ts'
import { PICTURE } from './picture.ts'
import { pngOf } from './png.ts'

/** pictures kept, some 40 kB each */
const PICTURES_KEPT = 300

/** Too many pictures wait to be made. */
export const CROWDED = Symbol('crowded')

/** Draws SVG pictures one at a time and caches them by their SVG, so the same verdict is drawn once. */
export type Pictures = ReturnType<typeof createPictures>

type Draw = (svg: string) => Promise<Buffer>

/** The build copies them from their package. */
const FONTS = ['Inter_400Regular.ttf', 'Inter_700Bold.ttf'] as const

/** Loaded with the first picture: drawing and compressing use threads of Node's pool, not the event loop. */
async function drawing(): Promise<Draw> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const fontFiles = FONTS.map((file) => fileURLToPath(new URL(`fonts/${file}`, BUILT)))
  // no fonts of the machine: the picture is the same everywhere
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter' }
  return async (svg) => pngOf(PICTURE.width, PICTURE.height, (await renderAsync(svg, { font })).pixels)
}

export function createPictures(load: () => Promise<Draw> = drawing, most: number = PICTURES_KEPT) {
  const kept = new Map<string, Buffer>()
  const making = new Map<string, Promise<Buffer>>()
  let draw: Promise<Draw> | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function make(svg: string): Promise<Buffer> {
    draw ??= load()
    const picture = await (await draw)(svg)
    const oldest = kept.keys().next()
    if (kept.size >= most && !oldest.done) kept.delete(oldest.value)
    kept.set(svg, picture)
    return picture
  }

  return {
    /** `take` is asked for a place if it has to be drawn */
    async of(svg: string, take: () => Taken): Promise<Buffer | typeof CROWDED> {
      const hit = kept.get(svg)
      if (hit !== undefined) {
        // moved to the end: the least recently used picture is evicted first
        kept.delete(svg)
        kept.set(svg, hit)
        return hit
      }
      const running = making.get(svg)
      if (running !== undefined) return running
      const place = take()
      if (!place.ok) return CROWDED
      const mine = last
        .then(() => make(svg))
        .finally(() => {
          making.delete(svg)
          place.release()
        })
      making.set(svg, mine)
      last = mine.catch(() => {})
      return mine
    },
  }
}
