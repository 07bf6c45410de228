import { type FocusEvent, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { Link } from '../shell/router.tsx'
import { stepped, useDrawing } from './bubble-drawing.ts'
import css from './bubble-map.module.css'
import { type DrawnCluster, type Look, reachOf } from './bubble-paint.ts'
import { type BubbleLayout, bubbleAt, layoutBubbles, type Placed } from './bubbles.ts'
import { useWidth } from './use-width.ts'

export interface MapBubble {
  readonly id: string
  /** accessible description */
  readonly label: string
  /** path of the wallet's page */
  readonly to: string
  readonly look: Look
  /** one size per moment; the largest decides the position */
  readonly sizes: readonly number[]
  readonly cluster: string | null
  /** one label per moment */
  readonly texts: readonly string[]
}

export interface MapCluster extends Pick<DrawnCluster, 'look' | 'name' | 'caption'> {
  readonly id: string
}

export interface MapLink {
  /** ids of two bubbles */
  readonly between: readonly [string, string]
  readonly look: 'funded' | 'evidence' | 'actor'
}

export interface BubbleMapProps {
  readonly label: string
  readonly bubbles: readonly MapBubble[]
  readonly clusters: readonly MapCluster[]
  readonly links: readonly MapLink[]
  /** index of the size that is drawn */
  readonly moment: number
  /** id of the bubble under the pointer */
  readonly pointed: string | null
  onPoint(id: string | null): void
}

/** px of the picture, and the width from which it is a wide one */
const HEIGHT = { wide: 450, narrow: 330, from: 560 } as const

/**
 * Draws wallets as bubbles on one canvas. A real link lies over the current bubble, so that a new tab, the keyboard and screen
 * readers work as with any link. Arrow keys move between bubbles.
 */
export default function BubbleMap({ label, bubbles, clusters, links, moment, pointed, onPoint }: BubbleMapProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const layout = useLayout(bubbles, width)
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
            // a first touch selects a bubble, a second one follows the link
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

/** Keeps the layout while its inputs are equal; few trades change a step of a size. */
function useLayout(bubbles: readonly MapBubble[], width: number): BubbleLayout {
  const kept = useRef<{ readonly key: string; readonly layout: BubbleLayout } | null>(null)
  return useMemo(() => {
    const rooms = bubbles
      .map(({ id, sizes, cluster, look }) => ({
        ...{ id, cluster, reach: reachOf(look) },
        size: stepped(Math.max(...sizes)),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    const key = JSON.stringify([width, rooms])
    if (kept.current?.key === key) return kept.current.layout
    const height = width < HEIGHT.from ? HEIGHT.narrow : HEIGHT.wide
    const layout = layoutBubbles(rooms, Math.max(1, width), height)
    kept.current = { key, layout }
    return layout
  }, [bubbles, width])
}

/** px that a finger needs */
const STOP_PX = 24

function placeOf({ x, y, r }: Placed) {
  const side = Math.max(STOP_PX, 2 * r)
  return { insetInlineStart: x - side / 2, insetBlockStart: y - side / 2, inlineSize: side, blockSize: side }
}
