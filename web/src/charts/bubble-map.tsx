import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from '../shell/router.tsx'
import css from './bubble-map.module.css'
import {
  type Colours,
  type DrawnBubble,
  type DrawnCluster,
  type Look,
  paint,
  reachOf,
  type Scene,
} from './bubble-paint.ts'
import { type BubbleLayout, bubbleAt, layoutBubbles, type Placed } from './bubbles.ts'
import { between } from './tween.ts'
import { useWidth } from './use-width.ts'

export interface MapBubble {
  readonly id: string
  /** what it is, for those who do not see it */
  readonly label: string
  /** where it leads */
  readonly to: string
  readonly look: Look
  /** at each moment; the largest decides its place */
  readonly sizes: readonly number[]
  readonly cluster: string | null
  /** a word within it */
  readonly text: string
}

export interface MapCluster extends Pick<DrawnCluster, 'look' | 'name' | 'caption'> {
  readonly id: string
}

export interface MapLink {
  /** ids of bubbles */
  readonly between: readonly [string, string]
  readonly look: 'funded' | 'evidence' | 'actor'
}

export interface BubbleMapProps {
  readonly label: string
  readonly bubbles: readonly MapBubble[]
  readonly clusters: readonly MapCluster[]
  readonly links: readonly MapLink[]
  /** which of the sizes is drawn */
  readonly moment: number
  /** id of what is pointed at */
  readonly pointed: string | null
  onPoint(id: string | null): void
}

const GLIDE_MS = 350
/** px of the picture: of a wide one and of a phone's */
const HEIGHT = { wide: 450, narrow: 330, from: 560 } as const

/**
 * Wallets as bubbles on one canvas. Above it lies one real link, on the bubble that is pointed at: so that opening in a new tab,
 * the keyboard and screen readers work as with every link. Arrows go from bubble to bubble.
 */
export default function BubbleMap({ label, bubbles, clusters, links, moment, pointed, onPoint }: BubbleMapProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const layout = useMemo(() => laidOut(bubbles, width), [bubbles, width])
  const byId = useMemo(() => new Map(bubbles.map((bubble) => [bubble.id, bubble])), [bubbles])
  const order = layout.bubbles
  const [stop, setStop] = useState<string | null>(null)
  const current = order.find(({ id }) => id === (pointed ?? stop)) ?? order[0]
  useDrawing(canvas, { layout, bubbles: byId, clusters, links, moment, lit: pointed })

  const under = ({ clientX, clientY, currentTarget }: { clientX: number; clientY: number; currentTarget: Element }) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return bubbleAt(order, clientX - left, clientY - top)
  }
  const move = (event: KeyboardEvent): void => {
    const at = order.findIndex(({ id }) => id === current?.id)
    const last = order.length - 1
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    const found = order[Math.min(last, Math.max(0, to))]
    if (found === undefined) return
    setStop(found.id)
    onPoint(found.id)
  }
  return (
    <div ref={box} className={css.box}>
      {width > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: what reacts is the link within; this finds the bubble it lies on
        // biome-ignore lint/a11y/useKeyWithClickEvents: the link has the keyboard
        <div
          className={css.picture}
          style={{ blockSize: layout.height }}
          onPointerMove={(event: PointerEvent) => {
            if (event.pointerType === 'mouse') onPoint(under(event)?.id ?? null)
          }}
          onPointerLeave={({ pointerType }: PointerEvent) => {
            if (pointerType === 'mouse' && document.activeElement !== link.current) onPoint(null)
          }}
          onClick={(event) => {
            // a touch shows what it is, the next one on the same bubble is the link's
            if (event.target === canvas.current) onPoint(under(event)?.id ?? null)
          }}
        >
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas is no stop of the keyboard */}
          <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
          {current !== undefined && (
            <Link
              ref={link}
              to={byId.get(current.id)?.to ?? '#'}
              className={css.stop}
              style={placeOf(current)}
              aria-label={`${label}: ${byId.get(current.id)?.label}`}
              onKeyDown={move}
              onFocus={(event: FocusEvent) => {
                if (event.currentTarget.matches(':focus-visible')) onPoint(current.id)
              }}
              onBlur={() => onPoint(null)}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** Sizes in steps, so that the next trade does not change the order of all. */
const stepped = (size: number): number => (size > 0 ? 2 ** (Math.ceil(Math.log2(size) * 3) / 3) : 0)

const laidOut = (bubbles: readonly MapBubble[], width: number): BubbleLayout =>
  layoutBubbles(
    bubbles.map(({ id, sizes, cluster, look }) => ({
      ...{ id, cluster, reach: reachOf(look) },
      size: stepped(Math.max(...sizes)),
    })),
    Math.max(1, width),
    width < HEIGHT.from ? HEIGHT.narrow : HEIGHT.wide,
  )

/** a finger's width at least */
const STOP_PX = 24

function placeOf({ x, y, r }: Placed) {
  const side = Math.max(STOP_PX, 2 * r)
  return { insetInlineStart: x - side / 2, insetBlockStart: y - side / 2, inlineSize: side, blockSize: side }
}

interface Drawing {
  readonly layout: BubbleLayout
  readonly bubbles: ReadonlyMap<string, MapBubble>
  readonly clusters: readonly MapCluster[]
  readonly links: readonly MapLink[]
  readonly moment: number
  readonly lit: string | null
}

type Spots = ReturnType<typeof between>

/** Where everything stands at the end, bubbles and clusters. */
function goalOf({ layout, bubbles, moment }: Drawing): Spots {
  const goal: Spots = new Map()
  for (const { id, x, y, r } of layout.bubbles) {
    const sizes = bubbles.get(id)?.sizes ?? []
    const whole = stepped(Math.max(...sizes))
    const most = Math.max(...sizes)
    // the room is for the next larger step
    const radius = whole > 0 ? r * Math.sqrt(most / whole) : r
    goal.set(id, { x, y, r: radius, part: most > 0 ? Math.min(1, (sizes[moment] ?? 0) / most) : 0 })
  }
  for (const { id, x, y, r } of layout.clusters) goal.set(`cluster ${id}`, { x, y, r, part: 1 })
  return goal
}

function sceneOf({ layout, bubbles, clusters, links, lit }: Drawing, spots: Spots): Scene {
  const at = (id: string) => spots.get(id)
  return {
    ...{ width: layout.width, height: layout.height, lit },
    clusters: clusters.flatMap((cluster) => {
      const spot = at(`cluster ${cluster.id}`)
      return spot === undefined ? [] : [{ ...cluster, ...spot }]
    }),
    links: links.flatMap(({ between: [a, b], look }) => {
      const [from, to] = [at(a), at(b)]
      return from === undefined || to === undefined ? [] : [{ from, to, look, lit: lit === a || lit === b }]
    }),
    bubbles: layout.bubbles.flatMap(({ id }): DrawnBubble[] => {
      const [bubble, spot] = [bubbles.get(id), at(id)]
      return bubble === undefined || spot === undefined ? [] : [{ id, look: bubble.look, text: bubble.text, ...spot }]
    }),
  }
}

/** Draws what it is given, gliding from what was there before. */
function useDrawing(canvas: { readonly current: HTMLCanvasElement | null }, drawing: Drawing): void {
  const spots = useRef<Spots>(new Map())
  const latest = useRef(drawing)
  /** of the theme that is shown: reading them makes the browser compute styles, which is not for each frame */
  const colours = useRef<Colours | null>(null)
  const { layout, bubbles, clusters, links, moment, lit } = drawing
  useEffect(() => {
    latest.current = drawing
  })
  const draw = useRef(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context == null) return
    const { width, height } = latest.current.layout
    const density = Math.min(2, devicePixelRatio)
    if (element.width !== Math.round(width * density) || element.height !== Math.round(height * density)) {
      element.width = Math.round(width * density)
      element.height = Math.round(height * density)
    }
    context.setTransform(density, 0, 0, density, 0, 0)
    colours.current ??= coloursOf(element)
    paint(context, sceneOf(latest.current, spots.current), colours.current)
  })
  useEffect(() => {
    const from = spots.current
    const goal = goalOf(drawing)
    const still = from.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    let begun: number | null = null
    const step = (now: number): void => {
      begun ??= now
      const t = still ? 1 : (now - begun) / GLIDE_MS
      spots.current = between(from, goal, t)
      draw.current()
      if (t < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [layout, bubbles, clusters, links, moment])
  useEffect(() => draw.current(), [lit])
  useEffect(() => {
    const again = (): void => {
      colours.current = null
      draw.current()
    }
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(again)
    scheme.addEventListener('change', again)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      scheme.removeEventListener('change', again)
      chosen.disconnect()
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
