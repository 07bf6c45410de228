import { type Colours, type Dissolve, type DrawnBubble, type Picture, paintBubbles } from './bubble-paint.ts'
import type { BubbleLayout } from './bubbles.ts'

/**
 * The small bubbles of a crowded map as pictures, one for each moment: to draw all of them takes longer than a frame, so they are
 * drawn ahead, some at a time, while the browser has nothing else to do.
 */

/** bubbles drawn at a time: some 3 ms without a graphics card */
const SLICE = 120
/** milliseconds until a picture is made on a page that is never idle */
const AHEAD_MS = 1_000

interface Content {
  readonly ids: ReadonlySet<string>
  readonly layout: BubbleLayout
  /** how many moments there are */
  readonly moments: number
  at(moment: number): readonly DrawnBubble[]
  /** null: not known yet */
  colours(): Colours | null
}

interface Made extends Picture {
  readonly bubbles: readonly DrawnBubble[]
  /** how many of them are on it */
  drawn: number
}

type Size = Pick<BubbleLayout, 'width' | 'height'>

/** Makes it as large as the picture, to be drawn on in CSS px. */
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
  /** made once for each moment: a new canvas costs more than what is drawn on it */
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

  /** Draws some more of a moment; whether there is nothing left to draw. */
  function drawSome(moment: number): boolean {
    const inks = content?.colours() ?? null
    if (content === null || inks === null) return true
    const picture = pictureOf(moment, content)
    const context = fit(picture.image, picture)
    if (context === null) return true
    paintBubbles(context, picture.bubbles.slice(picture.drawn, picture.drawn + SLICE), inks)
    picture.drawn = Math.min(picture.bubbles.length, picture.drawn + SLICE)
    // a browser without a graphics card keeps what is drawn as a list, until somebody looks at it: not all of it at once
    fit(canvasOf('seen'), { width: 1, height: 1 })?.drawImage(picture.image, 0, 0, 1, 1)
    return isMade(picture)
  }

  /** What is shown now stays as it is, whatever becomes of the pictures: what comes next dissolves from it. */
  function hold(): void {
    stop()
    if (shown === null || shown.after === held) return
    const { before, after, at } = shown
    const { width, height } = after
    const picture = { image: canvasOf('held'), width, height }
    const context = fit(picture.image, picture)
    if (context === null) return
    // where a glide ends before its time, `before` is this same canvas
    context.globalCompositeOperation = 'copy'
    context.globalAlpha = 1 - at
    context.drawImage(before.image, 0, 0, width, height)
    context.globalCompositeOperation = 'lighter'
    context.globalAlpha = at
    context.drawImage(after.image, 0, 0, width, height)
    held = picture
    shown = { before: held, after: held, at: 1 }
  }

  /** Shows a moment, dissolving from what was held; where its picture is not there yet all bubbles are drawn one by one. */
  function dissolve(moment: number, at: number): void {
    const after = made.get(moment)
    if (after === undefined || !isMade(after)) shown = null
    else shown = { before: shown === null || held === null ? after : held, after, at }
  }

  /** From the moment that is shown to the others. */
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

  /** All must be drawn anew, and nothing dissolves into it. */
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
    /** Beside the bubbles that are drawn one by one; null: all are. One that is pointed at stands out, which no picture shows. */
    shown(lit: string | null): Dissolve | null {
      if (content === null || shown === null) return null
      const { ids } = content
      return shown.at === 1 && shown.after !== held && lit !== null && ids.has(lit) ? null : { ...shown, ids }
    },
  }
}
