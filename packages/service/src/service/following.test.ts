import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { openPosition } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { Position, Wallet } from '@ti/core/model/state.ts'
import type { Funders } from '../source/followed-funders.ts'
import { startFollowing } from './following.ts'
import { EXCHANGES, fundersToFollow } from './priorities/funders-to-follow.ts'
import { HOLDERS } from './priorities/large-holdings.ts'

const SLOT = 10_000
const LIVE = 'yellowstone:https://a.example'
const named = (name: string): Key => name.padEnd(32, '.') as Key
const wallet = (id: number): Wallet => newWallet(id, named(`w${id}`), 0)
const nobody = { positionOf: () => undefined, positions: (): Position[] => [] }

/** A token launched by wallet `deployer` at `slot`, all of it held by wallet 1. */
function tokenOf(id: number, deployer: number, slot: number): LiveToken {
  const position = Object.assign(openPosition(id, wallet(1), slot), { balance: 1e15 })
  const rest = { supply: 1e15, owned: 1e15, holders: HOLDERS, lastTradeSlot: SLOT, quoteReserve: 16e9 }
  const token = Object.assign(newToken(id, named(`m${id}`), slot, 1), { ...rest, deployer })
  return createResident(nobody, token, emptyBundleBook(), new Map([[1, position]]))
}

const engineOf = (tokens: readonly LiveToken[]) =>
  ({ tokens: { live: () => tokens.values() }, wallet, globals: { slot: SLOT } }) as never
const plain = ({ exchanges, deployers }: Funders) =>
  [exchanges, deployers].map((list) => list.map((key) => key.replaceAll('.', '')).join(' '))

test('deployers of the newest launches come first, each once, exchanges and nobody are none', () => {
  const tokens = [tokenOf(1, 7, 100), tokenOf(2, 5, 300), tokenOf(3, 6, 200), tokenOf(4, 5, 250), tokenOf(5, -1, 400)]
  const engine = engineOf([...tokens, tokenOf(6, 8, 350)])
  const exchanges = [named('w8'), named('x')]
  assert.deepEqual(plain(fundersToFollow(engine, exchanges, 10)), ['w8 x', 'w5 w6 w7'])
  assert.deepEqual(plain(fundersToFollow(engine, exchanges, 2)), ['w8 x', 'w5 w6'])
  assert.deepEqual(plain(fundersToFollow(engine, [], 0)), ['', ''])
  const many = Array.from({ length: EXCHANGES + 1 }, (_, n) => named(`x${n}`))
  assert.equal(fundersToFollow(engine, many, 0).exchanges.length, EXCHANGES)
})

const OFF = { followHolders: 0, followExchanges: false, followDeployers: 0, source: LIVE }

/** Returns the lists that the source gets in its first `calls` calls. The list of exchanges is there from the third look on. */
async function given(options: Partial<typeof OFF>, calls: number) {
  const said: string[] = []
  let looks = 0
  let enough = (): void => {}
  const done = new Promise<void>((resolve) => {
    enough = resolve
  })
  const note = (text: string): void => {
    if (said.push(text) === calls) enough()
  }
  const stop = startFollowing({
    options: { ...OFF, ...options },
    engine: engineOf([tokenOf(1, 7, 100)]),
    entries: {
      followHolders: (holdings) => note(`holders ${holdings.length}`),
      followFunders: (funders) => note(plain(funders).join(' | ')),
    },
    exchanges: () => (++looks < 3 ? null : new Map([[named('x'), 'An exchange']])),
    everyMs: 1,
  })
  const keepAlive = setInterval(() => {}, 1_000)
  if (calls > 0) await done
  clearInterval(keepAlive)
  stop()
  return { said: said.slice(0, calls), looks }
}

test('the source is given lists again and again; where it is off or not live, never', async () => {
  assert.deepEqual((await given({ followHolders: 5 }, 2)).said, ['holders 1', 'holders 1'])
  assert.deepEqual((await given({ followHolders: 5 }, 2)).looks, 0, 'exchanges are not asked for')
  assert.deepEqual(await given({}, 0), { said: [], looks: 0 })
  for (const on of [{ followHolders: 5 }, { followDeployers: 5 }, { followExchanges: true }]) {
    const stop = startFollowing({
      options: { ...OFF, ...on, source: 'simulator:' },
      engine: null as never,
      entries: {},
      exchanges: () => assert.fail('nothing is followed'),
    })
    stop()
  }
})

test('funders are followed once the exchanges are known, and only the kind that is wanted', async () => {
  const both = await given({ followExchanges: true, followDeployers: 5 }, 2)
  assert.deepEqual(both, { said: ['x | w7', 'x | w7'], looks: 4 })
  assert.deepEqual((await given({ followExchanges: true }, 1)).said, ['x | '])
  assert.deepEqual((await given({ followDeployers: 5 }, 1)).said, [' | w7'])
})
