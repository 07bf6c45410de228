import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { creatorKind } from '@ti/core/query/launch.ts'
import { transactionFromJson } from '@ti/service/source/shape/json.ts'
import { goldenEvents } from '../../golden/scene.ts'
import { IDLS } from '../../outside/witness.ts'
import { createMemoryStore } from '../../support/memory-store.ts'
import { createOracle, DATA } from './idl.ts'

/** Launches as the chain has them today, each with the right answer, from the transaction to what is served. */
const CASES = join(DATA, 'real3/cases')
const SKIP = existsSync(CASES) ? false : `the cases are not at ${CASES}`

interface Case {
  readonly right: {
    readonly mint: string
    readonly deployer: string | null
    readonly not?: string
    readonly named?: string
  }
  readonly cases: readonly { readonly slot: number; readonly blockTime: number }[]
}

function serve(name: string) {
  const { right, cases } = JSON.parse(readFileSync(join(CASES, `${name}.json`), 'utf8')) as Case
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  const decoder = createDecoder()
  for (const [i, json] of cases.entries()) {
    const transactions = [transactionFromJson(json, createCounts())!]
    const block = decoder.decodeBlock({
      slot: json.slot + i,
      parent: json.slot + i - 1,
      time: json.blockTime,
      transactions,
    })
    engine.apply(engine.globals.seq + 1, block)
    store.write(engine.changes())
    engine.committed()
  }
  const query = createQuery({ engine, store })
  const json = (answer: { bytes: Buffer } | null) => JSON.parse(answer!.bytes.toString())
  return { right, who: json(query.who(right.mint)), trader: (address: string) => query.deployer(address, 10, 0) }
}

describe('who launched', { skip: SKIP }, () => {
  test('a named creator is not the launcher, and what the named one did is not the launcher’s', () => {
    const { right, who, trader } = serve('named_creator')
    assert.equal(who.deployer.wallet, right.deployer)
    assert.equal(who.launch.launcher, right.deployer)
    assert.deepEqual(who.launch.named, { wallet: right.named, signed: false })
    assert.equal(who.creator_record.wallet, right.named)
    const said = who.verdict.reasons.find(({ code }: { code: string }) => code === 'creator_named')
    assert.equal(said.text, `It names ${right.named} as its creator, without that wallet’s signature.`)
    // it launched two itself
    assert.equal(trader(right.named!)!.returned, 2)
  })

  test('a coin that pays its holders was launched by a wallet, not by the account of a program', () => {
    const { right, who, trader } = serve('holder_rewards')
    assert.equal(who.deployer.wallet, right.deployer)
    assert.equal(trader(right.deployer!)!.returned, 2)
    assert.equal(trader(right.not!), null)
    assert.deepEqual([who.launch.creator, who.launch.creator_kind], [right.not, 'holder_rewards'])
  })

  test('a coin with shared fees whose creation was not seen has an unknown launcher', () => {
    const { right, who, trader } = serve('fee_sharing_first_sight')
    assert.deepEqual([who.deployer, who.launch.launcher], [null, null])
    assert.equal(trader(right.not!), null)
    assert.deepEqual([who.launch.creator, who.launch.creator_kind], [right.not, 'fee_sharing'])
  })
})

test('the account of a real sharing configuration is the one derived from the mint', () => {
  const oracle = createOracle(IDLS.pump_fees)
  const shared = goldenEvents.filter(({ program, gives }) => program === 'pump_fees' && gives !== null)
  assert.equal(shared.length, 2)
  for (const { payload, gives } of shared) {
    const config = oracle(Buffer.from(payload, 'base64'))!.fields.sharing_config as string
    const account = Buffer.from(config, 'hex').toString('latin1') as ReturnType<typeof keyFromBase58> & string
    assert.equal(creatorKind(keyFromBase58(gives!.mint as string)!, account), 'fee_sharing')
    assert.equal(creatorKind(keyFromBase58(keyToBase58(account))!, account), 'program', 'of another mint')
  }
})
