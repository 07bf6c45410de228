import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLabel } from './bubble-paint.ts'
import { type Bubble, bubbleAt, layoutBubbles, radiusAt } from './bubbles.ts'

const bubble = (id: string, size: number, cluster: string | null = null): Bubble => ({ id, size, cluster, reach: 1 })

const MARKET: readonly Bubble[] = [
  ...Array.from({ length: 7 }, (_, n) => bubble(`g${n}`, 4 - n / 2, 'group')),
  ...Array.from({ length: 3 }, (_, n) => bubble(`h${n}`, 0.4, 'other')),
  ...Array.from({ length: 60 }, (_, n) => bubble(`s${n}`, 3 / (n + 1))),
]

test('everything is within the picture, and a cluster holds its members and nobody else', () => {
  for (const [width, height] of [
    [760, 440],
    [340, 360],
    [1200, 300],
  ] as const) {
    const laid = layoutBubbles(MARKET, width, height)
    assert.equal(laid.bubbles.length, MARKET.length)
    assert.ok(laid.height <= height + 1, `${laid.height} high`)
    for (const { id, x, y, r } of [...laid.bubbles, ...laid.clusters]) {
      assert.ok(x - r >= 0 && x + r <= width && y - r >= 0 && y + r <= laid.height, `${id} of ${width}`)
    }
    for (const cluster of laid.clusters) {
      for (const { id, x, y, r } of laid.bubbles) {
        const away = Math.hypot(cluster.x - x, cluster.y - y)
        const isMember = MARKET.find((one) => one.id === id)!.cluster === cluster.id
        assert.equal(isMember ? away + r <= cluster.r : away >= cluster.r + r, true, `${id} and ${cluster.id}`)
      }
    }
  }
})

test('corners that reach beyond a circle of the same area are within the picture, too', () => {
  const reach = 1.25
  for (const count of [1, 5, 40]) {
    const diamonds = Array.from({ length: count }, (_, n) => ({ ...bubble(`d${n}`, 3 / (n + 1)), reach }))
    const { bubbles, width, height } = layoutBubbles(diamonds, 760, 440)
    for (const { id, x, y, r } of bubbles) {
      const out = r * reach
      assert.ok(x - out >= 0 && x + out <= width && y - out >= 0 && y + out <= height, `${id} of ${count}`)
    }
  }
})

test('a market fills its picture from edge to edge', () => {
  for (const [width, height] of [
    [760, 440],
    [340, 330],
  ] as const) {
    const { bubbles, clusters, height: used } = layoutBubbles(MARKET, width, height)
    const all = [...bubbles, ...clusters]
    const across = Math.max(...all.map(({ x, r }) => x + r)) - Math.min(...all.map(({ x, r }) => x - r))
    assert.ok(across / width > 0.95 && used / height > 0.85, `${across} of ${width}, ${used} of ${height}`)
  }
})

test('areas are in proportion, as far as the smallest can be seen', () => {
  const { bubbles, unit } = layoutBubbles(MARKET, 760, 440)
  const at = (id: string) => bubbles.find((one) => one.id === id)!
  assert.ok(Math.abs(at('g0').r / at('g6').r - 2) < 0.05, 'four percent beside one')
  assert.ok(at('s59').r >= 2)
  assert.ok(Math.abs(at('g0').r - radiusAt(4, unit)) < 0.5)
  assert.equal(radiusAt(0, unit), 0)
})

test('a few holders do not become balloons, and none is no failure', () => {
  const [only] = layoutBubbles([bubble('a', 1)], 760, 440).bubbles
  assert.equal(only!.r, 40)
  const none = layoutBubbles([], 760, 440)
  assert.deepEqual([none.bubbles, none.clusters], [[], []])
})

test('the same answer gives the same picture, in whatever order it names its wallets', () => {
  const one = layoutBubbles(MARKET, 760, 440)
  const other = layoutBubbles([...MARKET].reverse(), 760, 440)
  const byId = (layout: typeof one) => [...layout.bubbles].sort((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(byId(one), byId(other))
})

test('a point finds its bubble, a finger the one beside it, and nothing far away', () => {
  const bubbles = [
    { id: 'large', x: 100, y: 100, r: 40 },
    { id: 'small', x: 150, y: 100, r: 3 },
  ]
  assert.equal(bubbleAt(bubbles, 130, 100)?.id, 'large')
  assert.equal(bubbleAt(bubbles, 149, 101)?.id, 'small')
  assert.equal(bubbleAt(bubbles, 157, 100)?.id, 'small')
  assert.equal(bubbleAt(bubbles, 300, 100), null)
})

test('names of clusters do not cover each other: below, else above, else not at all', () => {
  const picture = { width: 400, height: 300 }
  const cluster = { x: 100, y: 100, r: 40 }
  const first = placeLabel(cluster, 80, picture, [])!
  assert.deepEqual(first, { left: 60, top: 128, wide: 80 })
  const second = placeLabel({ ...cluster, x: 130 }, 80, picture, [first])!
  assert.ok(second.top < cluster.y, 'above')
  assert.equal(placeLabel({ ...cluster, x: 110 }, 80, picture, [first, second]), null)
  assert.equal(
    placeLabel({ ...cluster, x: 300 }, 80, picture, [first, second])!.top,
    first.top,
    'beside it there is room',
  )
  const low = placeLabel({ x: 20, y: 290, r: 20 }, 80, picture, [])!
  assert.deepEqual([low.left, low.top], [0, 272], 'within the picture')
})
