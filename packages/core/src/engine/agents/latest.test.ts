import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent } from '../../model/agents.ts'
import { latestAgentBuys, whyNobody } from './latest.ts'

test('the list: the newest twenty buys of the top agents, in one slot the better agent first', () => {
  const agents = [0, 1, 2].map(
    (n): Agent => ({
      ...{ name: `a${n}`, wallet: -1, active: true, open: [], orders: [], periods: [], realisedSeen: 0, closedSeen: 0 },
      buys: Array.from({ length: 12 }, (_, i) => ({ token: 10 * n + i, slot: 100 - i, time: 5 })),
    }),
  )
  const list = latestAgentBuys({ agents, top: [2, 0], rankedPeriod: 1 })
  assert.equal(list.length, 20)
  assert.deepEqual(list.slice(0, 4), [
    { agent: 'a2', token: 20, slot: 100, time: 5 },
    { agent: 'a0', token: 0, slot: 100, time: 5 },
    { agent: 'a2', token: 21, slot: 99, time: 5 },
    { agent: 'a0', token: 1, slot: 99, time: 5 },
  ])
  assert.ok(list.every(({ agent }) => agent !== 'a1'))
  assert.equal(whyNobody({ top: [2, 0] }), null)
  assert.deepEqual(latestAgentBuys({ agents, top: [], rankedPeriod: -1 }), [])
  assert.match(whyNobody({ top: [] })!, /^no agent gained over at least 20 closed trades/)
})
