import { fileURLToPath } from 'node:url'
import { BUILT } from '../../../base/root.ts'
import { PICTURE } from './picture.ts'
import { pngOf } from './png.ts'

const PICTURES = {
  /** pictures kept, some 40 kB each, and those that may wait to be made, 30 to 100 ms of a thread each */
  kept: 300,
  waiting: 16,
}

/** Too many pictures wait to be made. */
export const CROWDED = Symbol('crowded')

/** Draws SVG pictures one at a time and caches them by their SVG, so the same verdict is drawn once. */
export interface Pictures {
  of(svg: string): Promise<Buffer | typeof CROWDED>
}

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

export function createPictures(
  bounds: Readonly<typeof PICTURES> = PICTURES,
  load: () => Promise<Draw> = drawing,
): Pictures {
  const kept = new Map<string, Buffer>()
  const making = new Map<string, Promise<Buffer>>()
  let draw: Promise<Draw> | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function make(svg: string): Promise<Buffer> {
    draw ??= load()
    const picture = await (await draw)(svg)
    const oldest = kept.keys().next()
    if (kept.size >= bounds.kept && !oldest.done) kept.delete(oldest.value)
    kept.set(svg, picture)
    return picture
  }

  return {
    async of(svg) {
      const hit = kept.get(svg)
      if (hit !== undefined) {
        // moved to the end: the least recently used picture is evicted first
        kept.delete(svg)
        kept.set(svg, hit)
        return hit
      }
      const running = making.get(svg)
      if (running !== undefined) return running
      if (making.size >= bounds.waiting) return CROWDED
      const mine = last.then(() => make(svg)).finally(() => making.delete(svg))
      making.set(svg, mine)
      last = mine.catch(() => {})
      return mine
    },
  }
}
