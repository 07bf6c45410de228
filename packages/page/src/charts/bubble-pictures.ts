import { type Colours, type Dissolve, type DrawnBubble, type Picture, paintBubbles } from './bubble-paint.ts'
import type { BubbleLayout } from './bubbles.ts'

/**
 * Pictures of the small bubbles of a crowded map, one per moment. Drawing all of them takes longer than a frame, so they are
 * drawn ahead in slices while the browser is idle.
 */

/** bubbles per slice, about 3 ms without a graphics card */
const SLICE = 120
/** milliseconds until a slice is drawn on a page that is never idle */
const AHEAD_MS = 1_000

interface Content {
  readonly ids: ReadonlySet<string>
  readonly layout: BubbleLayout
  /** number of moments */
  readonly moments: number
  at(moment: number): readonly DrawnBubble[]
  /** null before the first frame */
  colours(): Colours | null
}

interface Made extends Picture {
  readonly bubbles: readonly DrawnBubble[]
  /** number of bubbles already drawn */
  drawn: number
}

type Size = Pick<BubbleLayout, 'width' | 'height'>

/** Sizes a canvas to the picture and scales its context to CSS px. */
export function fit(canvas: HTMLCanvasElement, { width, height }: Size): CanvasRenderingContext2D | null {
  const density = Math.min(2, devicePixelRatio)
  const [across, up] = [Math.round(width * density), Math.round(height * density)]
  if (canvas.width !== across || canvas.height !== up) Object.assign(canvas, { width: across, height: up })
  const context = canvas.getContext('2d')
  context?.setTransform(density, 0, 0, density, 0, 0)
  return context
}

const whenIdle: (run: () => void) => () => void =
  'requestIdleCallback' in globalThis
    ? (run) => {
        const asked = requestIdleCallback(run, { timeout: AHEAD_MS })
        return () => cancelIdleCallback(asked)
      }
    : (run) => {
        const timer = setTimeout(run)
        return () => clearTimeout(timer)
      }

export function smallBubbles() {
  let content: Content | null = null
  const made = new Map<number, Made>()
  /** reused, because a new canvas costs more than what is drawn on it */
  const canvases = new Map<number | 'held' | 'seen', HTMLCanvasElement>()
  let held: Picture | null = null
  let shown: Omit<Dissolve, 'ids'> | null = null
  let stop = (): void => {}

  function canvasOf(key: number | 'held' | 'seen'): HTMLCanvasElement {
    const canvas = canvases.get(key) ?? document.createElement('canvas')
    canvases.set(key, canvas)
    return canvas
  }

  const isMade = ({ drawn, bubbles }: Made): boolean => drawn === bubbles.length

  function pictureOf(moment: number, { layout: { width, height }, at }: Content): Made {
    const there = made.get(moment)
    if (there !== undefined) return there
    const picture = { image: canvasOf(moment), width, height, bubbles: at(moment), drawn: 0 }
    made.set(moment, picture)
    fit(picture.image, picture)?.clearRect(0, 0, width, height)
    return picture
  }

  /** Draws a slice of a moment; returns true if the picture is complete. */
  function drawSome(moment: number): boolean {
    const inks = content?.colours() ?? null
    if (content === null || inks === null) return true
    const picture = pictureOf(moment, content)
    const context = fit(picture.image, picture)
    if (context === null) return true
    paintBubbles(context, picture.bubbles.slice(picture.drawn, picture.drawn + SLICE), inks)
    picture.drawn = Math.min(picture.bubbles.length, picture.drawn + SLICE)
    // without a graphics card, browsers record drawing and execute it at the first read; reading a pixel spreads that work
    fit(canvasOf('seen'), { width: 1, height: 1 })?.drawImage(picture.image, 0, 0, 1, 1)
    return isMade(picture)
  }

  /** Copies what is shown, as the start of the next cross-fade. */
  function hold(): void {
    stop()
    if (shown === null || shown.after === held) return
    const { before, after, at } = shown
    const { width, height } = after
    const picture = { image: canvasOf('held'), width, height }
    const context = fit(picture.image, picture)
    if (context === null) return
    // if a glide ends early, `before` is this same canvas
    context.globalCompositeOperation = 'copy'
    context.globalAlpha = 1 - at
    context.drawImage(before.image, 0, 0, width, height)
    context.globalCompositeOperation = 'lighter'
    context.globalAlpha = at
    context.drawImage(after.image, 0, 0, width, height)
    held = picture
    shown = { before: held, after: held, at: 1 }
  }

  /** Cross-fades from the held picture to a moment; until its picture is complete, bubbles are drawn one by one. */
  function dissolve(moment: number, at: number): void {
    const after = made.get(moment)
    if (after === undefined || !isMade(after)) shown = null
    else shown = { before: shown === null || held === null ? after : held, after, at }
  }

  /** Draws the pictures of all moments while the browser is idle, the shown one first. */
  function drawAhead(moment: number): void {
    stop()
    const wanted = [moment, ...Array(content?.moments ?? 0).keys()]
    const next = wanted.find((one) => {
      const picture = made.get(one)
      return picture === undefined || !isMade(picture)
    })
    if (content === null || next === undefined) return
    stop = whenIdle(() => {
      if (drawSome(next) && next === moment) dissolve(moment, 1)
      drawAhead(moment)
    })
  }

  /** Discards all pictures without a cross-fade. */
  function forget(): void {
    stop()
    made.clear()
    shown = null
  }

  return {
    hold,
    drawSome,
    dissolve,
    drawAhead,
    forget,
    become(next: Content | null): void {
      if (next === null) forget()
      else hold()
      made.clear()
      content = next
    },
    /** Returns the pictures to show; null: draw all bubbles. A highlighted bubble is in no picture, so all are drawn then. */
    shown(lit: string | null): Dissolve | null {
      if (content === null || shown === null) return null
      const { ids } = content
      return shown.at === 1 && shown.after !== held && lit !== null && ids.has(lit) ? null : { ...shown, ids }
    },
  }
}
