import assert from 'node:assert/strict'
import { test } from 'node:test'
import { survivalCurve } from './survival.ts'

const FRAME = { width: 400, height: 200, left: 40, right: 10, top: 10, bottom: 30 }
const rung = (mcap: number, pct: number) => ({ mcap, pct, reached: pct })

test('points go right with the rung and down with the share', () => {
  const { points } = survivalCurve([rung(100_000, 10), rung(10_000, 60), rung(1_000_000, 0)], FRAME)
  assert.deepEqual(
    points.map(({ mcap }) => mcap),
    [10_000, 100_000, 1_000_000],
  )
  assert.equal(points.at(-1)?.x, 390)
  assert.equal(points.at(-1)?.y, 170)
  for (const [n, point] of points.entries()) {
    const next = points[n + 1]
    if (next) assert.equal(next.x > point.x && next.y >= point.y, true, `${point.mcap}`)
  }
})

test('the line is a staircase from everyone', () => {
  const { line, area } = survivalCurve([rung(10_000, 50), rung(100_000, 0)], FRAME)
  assert.equal(line, 'M40 10H215V90H390V170')
  assert.equal(area.endsWith('Z'), true)
})

test('one rung, or none, is no reason to fail', () => {
  assert.equal(survivalCurve([rung(10_000, 50)], FRAME).points[0]?.x, 390)
  assert.deepEqual(survivalCurve([], FRAME).points, [])
  assert.equal(survivalCurve([rung(0, 50)], FRAME).line, '')
})
