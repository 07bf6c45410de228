import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxOf, circleAround, packCircles } from './pack.ts'

/** Radii of many sizes, the same in each run. */
function radiiOf(count: number, seed: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 0x7fffffff
    return 2 + 60 * (state / 0x7fffffff) ** 4
  })
}

const discsOf = (radii: readonly number[], stretch?: number) =>
  packCircles(radii, stretch).map((at, n) => ({ ...at, r: radii[n]! }))

test('no circle overlaps another one, in any order of sizes', () => {
  for (const [count, seeds] of [
    [1, 1],
    [2, 3],
    [3, 20],
    [4, 20],
    [9, 20],
    [60, 3],
    [300, 1],
  ] as const)
    for (let seed = 1; seed <= seeds; seed++) {
      const mixed = radiiOf(count, seed)
      for (const radii of [mixed, [...mixed].sort((a, b) => b - a), mixed.map(() => 5)]) {
        const discs = discsOf(radii, 1.6)
        assert.equal(discs.length, count)
        for (const [n, a] of discs.entries()) {
          assert.ok(Number.isFinite(a.x) && Number.isFinite(a.y), `seed ${seed}: circle ${n} of ${count}`)
          for (const b of discs.slice(0, n)) {
            const between = Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r
            assert.ok(between > -1e-3, `seed ${seed}: ${between} between two of ${count}`)
          }
        }
      }
    }
})

test('they lie close, in the proportions that were asked for', () => {
  for (const stretch of [1, 1.8]) {
    const radii = radiiOf(400, 7).sort((a, b) => b - a)
    const { left, right, top, bottom } = boxOf(discsOf(radii, stretch))
    const covered = radii.reduce((sum, r) => sum + Math.PI * r * r, 0)
    const part = covered / ((right - left) * (bottom - top))
    assert.ok(part > 0.7, `${part} of the rectangle is covered: no ellipse has so much`)
    const proportion = (right - left) / (bottom - top)
    assert.ok(Math.abs(proportion / stretch - 1) < 0.25, `${proportion} instead of ${stretch}`)
    assert.ok(Math.abs(left + right) < 1e-6 && Math.abs(top + bottom) < 1e-6, 'around the origin')
  }
})

test('the same circles always lie the same way', () => {
  const radii = radiiOf(200, 3)
  assert.deepEqual(packCircles(radii, 1.4), packCircles([...radii], 1.4))
  assert.deepEqual(packCircles([]), [])
})

test('a circle around circles holds all of them and is not much larger than it must be', () => {
  assert.deepEqual(circleAround([{ x: 3, y: 4, r: 2 }]), { x: 3, y: 4, r: 2 })
  const two = circleAround([
    { x: -10, y: 0, r: 5 },
    { x: 10, y: 0, r: 5 },
  ])
  assert.ok(two.r >= 15 && two.r < 15.2, `${two.r}`)
  for (const seed of [1, 2, 3]) {
    const discs = discsOf(radiiOf(12, seed))
    const { x, y, r } = circleAround(discs)
    for (const disc of discs) assert.ok(Math.hypot(disc.x - x, disc.y - y) + disc.r <= r + 1e-6, `seed ${seed}`)
    const { left, right, top, bottom } = boxOf(discs)
    assert.ok(r <= Math.hypot(right - left, bottom - top) / 2, `seed ${seed}: larger than around its box`)
  }
})
