import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TruthToken } from '../simulator/truth.ts'
import { actorSection, judgeActors } from './actors.ts'

const launch = (n: number, person: string, deployer: string, wallets: string[], sale: number): TruthToken => ({
  ...{ kind: 'token', mint: `m${n}`, slot: 100 * n, deployer, fate: 'rug', bundles: [] },
  ...{ snipers: [], copies: [], washers: [], launch: 'farm', venue: 'pump', moves: [], rugs: [], dominator: null },
  ...{ dusters: [], completed: null, launcher: { paid: 0, got: 0 }, panic: null, griefer: null },
  groups: [
    {
      ...{ type: 'farm', person, wallets, members: [], funder: null, paid: 0, got: 0 },
      exits: [{ wallet: wallets[0]!, slot: 100 * n + sale, lamports: 1 }],
    },
  ],
})

test('a farm is recognised when an actor of its person is named before the first sale', () => {
  const truth = [0, 1, 2, 3, 4].map((n) => launch(n, 'p', 'd', ['a', 'b'], 50))
  truth.push(...[5, 6, 7, 8].map((n) => launch(n, 'q', 'e', ['c', 'x'], 10)))
  const found = {
    actors: [
      { id: 0, wallets: ['a', 'b', 'c'] },
      { id: 2, wallets: ['c', 'x'] },
    ],
    largest: { wallets: 3, edges: 2, tokens: 5 },
    named: [
      { mint: 'm3', actor: 0, slot: 349 },
      { mint: 'm4', actor: 0, slot: 450 },
      { mint: 'm8', actor: 0, slot: 801 },
    ],
  }
  const result = judgeActors(found, truth)
  assert.equal(result.precision, 4 / 5)
  assert.equal(result.mixed, 1)
  assert.ok(result.withinBounds)
  assert.deepEqual(result.farms.deployers, {
    next: { launches: 2, recognised: 1 },
    later: { launches: 3, recognised: 1 },
  })
  assert.match(actorSection(result), /1 of 2, 50 %/)
  assert.equal(actorSection(null), '')
})
