import { useEffect, useMemo, useRef } from 'react'
import { onColours } from '../theme/theme.ts'
import type { MapBubble, MapCluster, MapLink } from './bubble-map.tsx'
import { type Colours, type Dissolve, type DrawnBubble, paint, type Scene } from './bubble-paint.ts'
import { fit, smallBubbles } from './bubble-pictures.ts'
import type { BubbleLayout } from './bubbles.ts'
import { between, eased } from './tween.ts'

/** Animates the map from one moment to the next. */

/** milliseconds of a glide */
const GLIDE_MS = 350
/**
 * bubbles that glide on a map with more than `FEW`; the others cross-fade as pictures, because drawing five hundred bubbles
 * takes longer than a frame
 */
const [FOLLOWED, FEW] = [60, 120]
/** launch, peak, now */
const MOMENTS = 3

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

type Spots = ReturnType<typeof between>

/** Positions of bubbles and clusters at the end of the animation. */
function goalOf({ layout, bubbles, moment }: Drawing): Spots {
  const goal: Spots = new Map()
  for (const { id, x, y, r } of layout.bubbles) {
    const sizes = bubbles.get(id)?.sizes ?? []
    const whole = stepped(Math.max(...sizes))
    const most = Math.max(...sizes)
    // the layout reserves room up to the next step
    const radius = whole > 0 ? r * Math.sqrt(most / whole) : r
    goal.set(id, { x, y, r: radius, part: most > 0 ? Math.min(1, (sizes[moment] ?? 0) / most) : 0 })
  }
  for (const { id, x, y, r } of layout.clusters) goal.set(`cluster ${id}`, { x, y, r, part: 1 })
  return goal
}

function sceneOf(drawing: Drawing, spots: Spots, dissolve: Dissolve | null): Scene {
  const { layout, clusters, links, lit } = drawing
  const at = (id: string) => spots.get(id)
  return {
    ...{ width: layout.width, height: layout.height, lit, dissolve },
    clusters: clusters.flatMap((cluster) => {
      const spot = at(`cluster ${cluster.id}`)
      return spot === undefined ? [] : [{ ...cluster, ...spot }]
    }),
    links: links.flatMap(({ between: [a, b], look }) => {
      const [from, to] = [at(a), at(b)]
      return from === undefined || to === undefined ? [] : [{ from, to, look, lit: lit === a || lit === b }]
    }),
    bubbles: bubblesOf(drawing, spots, dissolve === null ? () => true : (id) => !dissolve.ids.has(id)),
  }
}

const bubblesOf = (
  { layout, bubbles, moment }: Drawing,
  spots: Spots,
  isDrawn: (id: string) => boolean,
): DrawnBubble[] =>
  layout.bubbles.flatMap(({ id }) => {
    const [bubble, spot] = [bubbles.get(id), spots.get(id)]
    if (bubble === undefined || spot === undefined || !isDrawn(id)) return []
    return [{ id, look: bubble.look, text: bubble.texts[moment] ?? '', ...spot }]
  })

/** Bubbles that cross-fade because there are too many to follow; null: all glide. */
function smallOf({ bubbles }: BubbleLayout): ReadonlySet<string> | null {
  if (bubbles.length <= FEW) return null
  const bySize = [...bubbles].sort((a, b) => b.r - a.r)
  return new Set(bySize.slice(FOLLOWED).map(({ id }) => id))
}

/** Draws the map and animates changes. */
export function useDrawing(canvas: { readonly current: HTMLCanvasElement | null }, drawing: Drawing): void {
  const spots = useRef<Spots>(new Map())
  const latest = useRef(drawing)
  /** cached per theme, because reading them makes the browser compute styles */
  const colours = useRef<Colours | null>(null)
  const { layout, bubbles, clusters, links, moment, lit } = drawing
  const ids = useMemo(() => smallOf(layout), [layout])
  const small = useMemo(() => smallBubbles(), [])
  useEffect(() => {
    latest.current = drawing
  })
  const draw = useRef(() => {
    const context = canvas.current && fit(canvas.current, latest.current.layout)
    if (canvas.current === null || context === null) return
    colours.current ??= coloursOf(canvas.current)
    paint(context, sceneOf(latest.current, spots.current, small.shown(latest.current.lit)), colours.current)
  })
  const ahead = useRef(() => small.drawAhead(latest.current.moment))
  useEffect(() => {
    if (ids === null) return small.become(null)
    const at = (moment: number): DrawnBubble[] => {
      const then = { ...drawing, moment }
      return bubblesOf(then, goalOf(then), (id) => ids.has(id))
    }
    small.become({ ids, layout, at, moments: MOMENTS, colours: () => colours.current })
  }, [layout, ids, bubbles])
  useEffect(() => {
    const from = spots.current
    const goal = goalOf(drawing)
    const still = from.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
    small.hold()
    let frame = 0
    let begun: number | null = null
    const step = (now: number): void => {
      // the target picture is drawn first, a part per frame
      if (!still && !small.drawSome(moment)) {
        frame = requestAnimationFrame(step)
        return
      }
      begun ??= now
      const t = still ? 1 : (now - begun) / GLIDE_MS
      spots.current = between(from, goal, t)
      small.dissolve(moment, eased(t))
      draw.current()
      if (t < 1) frame = requestAnimationFrame(step)
      else ahead.current()
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [layout, ids, bubbles, clusters, links, moment])
  useEffect(() => draw.current(), [lit])
  useEffect(() => {
    const again = (): void => {
      colours.current = null
      small.forget()
      draw.current()
      ahead.current()
    }
    const stop = onColours(again)
    return () => {
      small.forget()
      stop()
    }
  }, [])
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
