import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alternate, type Circle, layoutClusters, MEASURES, radiusOf, ringRadius } from './clusters.ts'

const group = (id: string, sizes: readonly number[]) => ({
  id,
  members: sizes.map((size, n) => ({ id: `${id}${n}`, size })),
})

/** overlap of two circles in px; 0 = none */
const overlap = (a: Circle, b: Circle): number => Math.max(0, a.r + b.r - Math.hypot(a.x - b.x, a.y - b.y))

test('areas stand for sizes, and nothing is too small to hit', () => {
  assert.equal(radiusOf(10, 10), MEASURES.most)
  assert.equal(radiusOf(2.5, 10), MEASURES.most / 2)
  assert.equal(radiusOf(0, 10), MEASURES.least)
  assert.equal(radiusOf(0, 0), MEASURES.least)
})

test('a ring holds its circles side by side', () => {
  assert.equal(ringRadius([10], 5), 0)
  assert.equal(ringRadius([10, 20], 6), 18)
  const ring = ringRadius([10, 10, 10, 10], 0)
  // four circles of radius 10 touch on a ring of 10·√2
  assert.equal(Math.abs(ring - 10 * Math.SQRT2) < 1e-6, true, String(ring))
})

test('large and small by turns', () => {
  assert.deepEqual(alternate([5, 4, 3, 2, 1]), [5, 1, 4, 2, 3])
  assert.deepEqual(alternate([]), [])
})

test('no two circles of a picture overlap, and none leaves it', () => {
  const groups = [
    group('a', [12, 3, 0.1, 0.1, 0.1, 5, 2]),
    group('b', [0.2, 0.2]),
    group(
      'c',
      Array.from({ length: 30 }, (_, n) => n / 10),
    ),
    group('d', [40]),
  ]
  for (const width of [320, 700, 1300]) {
    const picture = layoutClusters(groups, width)
    const circles = picture.clusters.flatMap((cluster) => cluster.circles)
    assert.equal(circles.length, 40)
    for (const [n, a] of circles.entries()) {
      const inside = a.x - a.r >= 0 && a.x + a.r <= picture.width && a.y - a.r >= 0 && a.y + a.r <= picture.height
      assert.equal(inside, true, `${a.id} at ${width}`)
      for (const b of circles.slice(n + 1)) assert.equal(overlap(a, b) < 0.01, true, `${a.id} ${b.id} at ${width}`)
    }
  }
})

test('a narrow picture has more rows', () => {
  const groups = [group('a', [1, 1]), group('b', [1, 1]), group('c', [1, 1])]
  const rows = (width: number): number => new Set(layoutClusters(groups, width).clusters.map(({ y }) => y)).size
  assert.equal(rows(1200), 1)
  assert.equal(rows(300) > 1, true)
})

test('the same groups give the same picture, whatever the order of members', () => {
  const one = layoutClusters([group('a', [3, 2, 1])], 500)
  const members = [...group('a', [3, 2, 1]).members].reverse()
  assert.deepEqual(layoutClusters([{ id: 'a', members }], 500), one)
})

test('small holdings stay small, and names of a row stand on one line', () => {
  const picture = layoutClusters([group('a', [0.5, 0.5]), group('b', [0.02, 0.02])], 600)
  assert.equal(Math.max(...picture.clusters.flatMap(({ circles }) => circles.map(({ r }) => r))), MEASURES.most / 2)
  assert.equal(new Set(picture.clusters.map(({ foot }) => foot)).size, 1)
})

test('nothing to draw', () => {
  assert.deepEqual(layoutClusters([], 500), { width: 500, height: 0, clusters: [] })
})
