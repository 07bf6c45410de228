import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createActorMarket } from '../../support/actors-market.ts'

/** Real wallet fleets: four or five wallets that bought most of one launch after another in its creation slot. */
const CORPORA = resolve(import.meta.dirname, '../../../../shared/data/real2/corpora')
const SKIP = existsSync(CORPORA) ? false : `real wallet fleets are not at ${CORPORA}`

interface Fleet {
  readonly lead: string
  readonly wallets: readonly string[]
  readonly launches: readonly { readonly mint: string; readonly created: number; readonly n_membres: number }[]
}

const read = <T>(name: string): T => JSON.parse(gunzipSync(readFileSync(resolve(CORPORA, name))).toString()) as T
const fleets = (): Fleet[] => read<{ flottes: Fleet[] }>('v02_fleets.json.gz').flottes

test('where their groups are confirmed, each fleet is one actor and no two are joined', { skip: SKIP }, (t) => {
  const market = createActorMarket(1_000_000)
  const ids = new Map<string, number>()
  const idOf = (wallet: string): number => {
    const id = ids.get(wallet) ?? ids.size
    ids.set(wallet, id)
    return id
  }
  const all = fleets()
  const launches = all
    .flatMap((fleet) => fleet.launches.map((launch) => ({ ...launch, fleet })))
    .sort((a, b) => a.created - b.created)
  let slot = 0
  launches.forEach(({ fleet, n_membres }, token) => {
    // who was missing is not said: the first ones are taken
    for (const wallet of fleet.wallets.slice(0, n_membres))
      market.enrol({ token, group: 0, wallet: idOf(wallet), payerWith: -1 }, slot++)
  })
  const actors = market.actors().map(({ wallets }) => [...wallets].sort((a, b) => a - b))
  t.diagnostic(`${launches.length} launches of ${all.length} fleets`)
  assert.deepEqual(
    actors.sort((a, b) => a[0]! - b[0]!),
    all.map(({ wallets }) => wallets.map(idOf).sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!),
  )
})
