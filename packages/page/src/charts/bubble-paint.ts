import type { Placed } from './bubbles.ts'

/** Draws a map of bubbles. Colour and shape (or outline) both show the kind of a wallet. */

export const LOOKS = ['deployer', 'insider', 'sniper', 'kol', 'fresh', 'group', 'plain'] as const
export type Look = (typeof LOOKS)[number]

interface Style {
  /** name of a theme colour */
  readonly ink: 'red' | 'yellow' | 'accent' | 'violet' | 'neutral'
  readonly shape: 'circle' | 'square' | 'diamond' | 'hexagon'
  readonly outline: 'plain' | 'double' | 'dashed'
}

export const STYLE: Readonly<Record<Look, Style>> = {
  deployer: { ink: 'red', shape: 'circle', outline: 'double' },
  insider: { ink: 'red', shape: 'square', outline: 'plain' },
  sniper: { ink: 'yellow', shape: 'diamond', outline: 'plain' },
  kol: { ink: 'accent', shape: 'hexagon', outline: 'plain' },
  fresh: { ink: 'yellow', shape: 'circle', outline: 'dashed' },
  group: { ink: 'violet', shape: 'circle', outline: 'plain' },
  plain: { ink: 'neutral', shape: 'circle', outline: 'plain' },
}

/** corners of a shape; 0: round */
const CORNERS = { circle: 0, square: 4, diamond: 4, hexagon: 6 } as const
/** a square rests on a side, a diamond on a corner */
const TURN = { circle: 0, square: Math.PI / 4, diamond: 0, hexagon: Math.PI / 6 } as const

/** Distance from the centre to a corner, for a shape with the area of a circle of radius 1. */
export function reachOf(look: Look): number {
  const { shape, outline } = STYLE[look]
  const corners = CORNERS[shape]
  if (corners === 0) return outline === 'double' ? 1.12 : 1
  return Math.sqrt((2 * Math.PI) / (corners * Math.sin((2 * Math.PI) / corners)))
}

export type Colours = Readonly<Record<Style['ink'] | 'text' | 'muted' | 'surface' | 'line', string>>

interface DrawnBubble extends Placed {
  readonly look: Look
  /** 0 to 1: share of its largest area at this moment */
  readonly part: number
  /** drawn inside the bubble if it fits */
  readonly text: string
}

export interface DrawnCluster extends Placed {
  readonly look: 'red' | 'plain' | 'faint'
  readonly name: string
  readonly caption: string
}

interface DrawnLink {
  readonly from: Pick<Placed, 'x' | 'y'>
  readonly to: Pick<Placed, 'x' | 'y'>
  readonly look: 'funded' | 'evidence' | 'actor'
  readonly lit: boolean
}

export interface Scene {
  readonly width: number
  readonly height: number
  readonly clusters: readonly DrawnCluster[]
  readonly links: readonly DrawnLink[]
  readonly bubbles: readonly DrawnBubble[]
  /** id of the bubble under the pointer */
  readonly lit: string | null
}

const FONT = '11px system-ui, sans-serif'
const BOLD = '600 11px system-ui, sans-serif'
/** px of the smallest radius that has a label */
const TEXT_FROM = 15
const NAME_FROM = 15
/** px; a narrower rim is not visible */
const RIM = 1.5

type Context = CanvasRenderingContext2D

export function paint(context: Context, scene: Scene, colours: Colours): void {
  context.clearRect(0, 0, scene.width, scene.height)
  for (const cluster of scene.clusters) paintCluster(context, cluster, colours)
  for (const link of scene.links) paintLink(context, link, colours)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const bubble of scene.bubbles) paintBubble(context, bubble, bubble.id === scene.lit, colours)
  // names come last, so that no bubble hides them
  nameClusters(context, scene, colours)
}

function paintCluster(context: Context, { x, y, r, look }: DrawnCluster, colours: Colours): void {
  const ink = look === 'red' ? colours.red : colours.violet
  context.beginPath()
  context.arc(x, y, r, 0, 2 * Math.PI)
  context.fillStyle = ink
  context.globalAlpha = look === 'faint' ? 0.04 : 0.1
  context.fill()
  context.globalAlpha = look === 'faint' ? 0.5 : 0.8
  context.strokeStyle = ink
  context.lineWidth = look === 'red' ? 1.75 : 1
  context.setLineDash(look === 'faint' ? [2, 4] : [])
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

function paintLink(context: Context, { from, to, look, lit }: DrawnLink, colours: Colours): void {
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.lineTo(to.x, to.y)
  context.strokeStyle = look === 'funded' ? colours.red : colours.violet
  context.globalAlpha = lit ? 1 : look === 'evidence' ? 0.3 : 0.6
  context.lineWidth = lit ? 2 : look === 'evidence' ? 0.75 : 1.25
  context.setLineDash(look === 'actor' ? [5, 4] : [])
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

function paintBubble(
  context: Context,
  { x, y, r, look, part, text }: DrawnBubble,
  lit: boolean,
  colours: Colours,
): void {
  const { ink, shape, outline } = STYLE[look]
  const now = part > 0 ? Math.max(1.5, r * Math.sqrt(part)) : 0
  context.strokeStyle = colours[ink]
  context.fillStyle = colours[ink]
  if (outline === 'dashed') context.setLineDash([3, 2])
  if (now < r - RIM) {
    // an empty rim shows the largest size
    outlined(context, shape, x, y, r)
    context.globalAlpha = 0.65
    context.lineWidth = 1
    context.stroke()
    context.globalAlpha = 1
  }
  if (now > 0) {
    outlined(context, shape, x, y, now)
    context.globalAlpha = lit ? 0.9 : look === 'plain' ? 0.22 : 0.38
    context.fill()
    context.globalAlpha = 1
    context.lineWidth = look === 'plain' ? 1 : 1.5
    context.stroke()
  }
  context.setLineDash([])
  if (outline === 'double') {
    outlined(context, shape, x, y, r + 3)
    context.lineWidth = 1.5
    context.stroke()
  }
  if (lit) {
    outlined(context, shape, x, y, r + (outline === 'double' ? 6 : 3))
    context.strokeStyle = colours.text
    context.lineWidth = 2
    context.stroke()
  }
  if (text === '' || now < TEXT_FROM) return
  context.font = look === 'plain' ? FONT : BOLD
  context.fillStyle = lit ? colours.surface : colours.text
  context.fillText(text, x, y, 1.8 * now)
}

function outlined(context: Context, shape: Style['shape'], x: number, y: number, r: number): void {
  const corners = CORNERS[shape]
  context.beginPath()
  if (corners === 0) {
    context.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  const reach = r * Math.sqrt((2 * Math.PI) / (corners * Math.sin((2 * Math.PI) / corners)))
  for (let n = 0; n < corners; n++) {
    const angle = TURN[shape] - Math.PI / 2 + (2 * Math.PI * n) / corners
    const [px, py] = [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
    if (n === 0) context.moveTo(px, py)
    else context.lineTo(px, py)
  }
  context.closePath()
}

interface Box {
  readonly left: number
  readonly top: number
  readonly wide: number
}

/** px of a cluster's name and caption */
const LABEL_PX = 28

const meet = (a: Box, b: Box): boolean =>
  Math.abs(a.top - b.top) < LABEL_PX && a.left < b.left + b.wide && b.left < a.left + a.wide

/** Places a label on the lower rim, else on the upper one; null if both are taken. */
export function placeLabel(
  { x, y, r }: Pick<DrawnCluster, 'x' | 'y' | 'r'>,
  wide: number,
  { width, height }: Pick<Scene, 'width' | 'height'>,
  taken: readonly Box[],
): Box | null {
  const left = Math.min(width - wide, Math.max(0, x - wide / 2))
  const below = Math.min(height - LABEL_PX, y + r - 12)
  const above = Math.max(0, y - r - LABEL_PX / 2)
  const places = [below, above].map((top): Box => ({ left, top, wide }))
  return places.find((place) => !taken.some((other) => meet(place, other))) ?? null
}

/** Labels the largest clusters first. The list beside the map names all of them. */
function nameClusters(context: Context, scene: Scene, colours: Colours): void {
  const taken: Box[] = []
  for (const cluster of [...scene.clusters].sort((a, b) => b.r - a.r)) {
    if (cluster.r < NAME_FROM) return
    context.font = BOLD
    const wide = Math.max(context.measureText(cluster.name).width, context.measureText(cluster.caption).width) + 10
    const box = placeLabel(cluster, wide, scene, taken)
    if (box === null) continue
    taken.push(box)
    nameCluster(context, cluster, box, colours)
  }
}

function nameCluster(context: Context, { name, caption, look }: DrawnCluster, box: Box, colours: Colours): void {
  const { left, top, wide } = box
  context.fillStyle = colours.surface
  context.globalAlpha = 0.88
  context.beginPath()
  context.roundRect(left, top, wide, LABEL_PX, 4)
  context.fill()
  context.globalAlpha = 1
  context.fillStyle = look === 'red' ? colours.red : colours.violet
  context.fillText(name, left + wide / 2, top + 8)
  context.font = FONT
  context.fillStyle = colours.muted
  context.fillText(caption, left + wide / 2, top + 20)
}
