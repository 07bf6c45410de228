import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket } from './market.ts'
import { SIMULATOR_DEFAULTS } from './simulator.ts'
import type { SimToken } from './tokens.ts'

/** Slots without a trade (30 minutes) after which the fold calls a token dead; services hold the others. */
const IDLE = 4_500
const EVERY_SLOTS = 750
const [HOUR_SLOTS, HOURS_SLOTS] = [9_000, 27_000]

/** Live tokens and their positions, every five minutes for three hours. */
function levels(seed: number) {
  const { tps } = SIMULATOR_DEFAULTS
  const made = createMarket({ seed, tps, start: 0 })
  const live = new Set<SimToken>()
  const rows: { slot: number; tokens: number; bags: number }[] = []
  for (let slot = 0; slot <= HOURS_SLOTS; slot++) {
    for (const { actions } of made.step(slot).transactions) for (const { token } of actions) live.add(token)
    if (slot % EVERY_SLOTS !== 0) continue
    let bags = 0
    for (const token of live) {
      if (slot - token.lastSlot > IDLE) live.delete(token)
      else for (const { tokens } of token.positions.values()) if (tokens > 0) bags++
    }
    rows.push({ slot, tokens: live.size, bags })
  }
  return rows
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

/** Launches that grow keep their holders for hours, and markets differ by them. */
const SEEDS = [SIMULATOR_DEFAULTS.seed, 12, 13]
const MOST = { tokens: 1.15, bags: 1.2 }

test('the market is level after its first hour', (t) => {
  const markets = SEEDS.map((seed) => levels(seed).filter(({ slot }) => slot >= HOUR_SLOTS))
  for (const of of ['tokens', 'bags'] as const) {
    const growth = markets.map((rows) => {
      const half = rows.length >> 1
      const [first, second] = [rows.slice(0, half), rows.slice(half)].map((part) => mean(part.map((row) => row[of])))
      return second! / first!
    })
    t.diagnostic(`${of}: ${growth.map((one) => one.toFixed(3)).join(' ')}`)
    assert.ok(mean(growth) < MOST[of], `${of}: ${mean(growth)}`)
  }
})
