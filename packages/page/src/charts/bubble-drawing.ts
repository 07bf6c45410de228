import { useEffect, useRef } from 'react'
import { onColours } from '../theme/theme.ts'
import type { MapBubble, MapCluster, MapLink } from './bubble-map.tsx'
import { type Colours, paint, type Scene } from './bubble-paint.ts'
import type { BubbleLayout } from './bubbles.ts'

/** Draws the map at a moment. */

/** Rounds a size up to a step, so that a single trade does not reorder the map. */
export const stepped = (size: number): number => (size > 0 ? 2 ** (Math.ceil(Math.log2(size) * 3) / 3) : 0)

interface Drawing {
  readonly layout: BubbleLayout
  readonly bubbles: ReadonlyMap<string, MapBubble>
  readonly clusters: readonly MapCluster[]
  readonly links: readonly MapLink[]
  readonly moment: number
  readonly lit: string | null
}

function sceneOf({ layout, bubbles, clusters, links, moment, lit }: Drawing): Scene {
  const places = new Map(layout.bubbles.map((one) => [one.id, one]))
  const rings = new Map(layout.clusters.map((one) => [one.id, one]))
  return {
    ...{ width: layout.width, height: layout.height, lit },
    clusters: clusters.flatMap((cluster) => {
      const ring = rings.get(cluster.id)
      return ring === undefined ? [] : [{ ...cluster, ...ring }]
    }),
    links: links.flatMap(({ between: [a, b], look }) => {
      const [from, to] = [places.get(a), places.get(b)]
      return from === undefined || to === undefined ? [] : [{ from, to, look, lit: lit === a || lit === b }]
    }),
    bubbles: layout.bubbles.flatMap((place) => {
      const bubble = bubbles.get(place.id)
      if (bubble === undefined) return []
      const most = Math.max(...bubble.sizes)
      const whole = stepped(most)
      // the layout reserves room up to the next step
      const r = whole > 0 ? place.r * Math.sqrt(most / whole) : place.r
      const part = most > 0 ? Math.min(1, (bubble.sizes[moment] ?? 0) / most) : 0
      return [{ ...place, r, part, look: bubble.look, text: bubble.texts[moment] ?? '' }]
    }),
  }
}

export function useDrawing(canvas: { readonly current: HTMLCanvasElement | null }, drawing: Drawing): void {
  const latest = useRef(drawing)
  latest.current = drawing
  /** cached per theme, because reading them makes the browser compute styles */
  const colours = useRef<Colours | null>(null)
  const draw = useRef(() => {
    const context = canvas.current && fit(canvas.current, latest.current.layout)
    if (canvas.current === null || context === null) return
    colours.current ??= coloursOf(canvas.current)
    paint(context, sceneOf(latest.current), colours.current)
  })
  const { layout, bubbles, clusters, links, moment, lit } = drawing
  useEffect(() => draw.current(), [layout, bubbles, clusters, links, moment, lit])
  useEffect(
    () =>
      onColours(() => {
        colours.current = null
        draw.current()
      }),
    [],
  )
}

/** Sizes a canvas to the picture and scales its context to CSS px. */
function fit(canvas: HTMLCanvasElement, { width, height }: BubbleLayout): CanvasRenderingContext2D | null {
  const density = Math.min(2, devicePixelRatio)
  const [across, up] = [Math.round(width * density), Math.round(height * density)]
  if (canvas.width !== across || canvas.height !== up) Object.assign(canvas, { width: across, height: up })
  const context = canvas.getContext('2d')
  context?.setTransform(density, 0, 0, density, 0, 0)
  return context
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element)
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const [red, yellow, accent, violet, neutral] = [of('red'), of('yellow'), of('accent'), of('violet'), of('neutral')]
  return {
    red,
    yellow,
    accent,
    violet,
    neutral,
    text: of('text'),
    muted: of('muted'),
    surface: of('surface'),
    line: of('line'),
  }
}
