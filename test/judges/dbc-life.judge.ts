import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Instruction } from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import { DBC_SDK, DBC_SDK_VERSION, type DbcPool, openDbcCalls } from '@ti/lab/life/dbc-calls.ts'
import { curveOf, openDbcDriver } from '@ti/lab/life/dbc-driver.ts'
import { createVm } from '@ti/lab/life/vm.ts'
import { createRandom } from '@ti/lab/simulator/random.ts'
import { DATA, NO_DATA } from '../conformance/bytes/idl.ts'
import { filesOfTar } from '../support/tar.ts'

/**
 * The calls with which `life --driver dbc` leads a token, against those that the program itself took: the same accounts and
 * the same bytes.
 */
interface Taken {
  readonly accounts: readonly string[]
  readonly data: string
}

interface Answer {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[]
      readonly instructions: readonly { programIdIndex: number; accounts: readonly number[]; data: string }[]
    }
  }
}

const calls = openDbcCalls(import.meta.dirname)
const [PROGRAM] = calls.programs

const files = NO_DATA ? new Map<string, string>() : filesOfTar(readFileSync(join(DATA, 'real3/vm/plain_walk.tar.gz')))
const folders = [...new Set([...files.keys()].map(dirname))]

/** The call of the curve in a transaction. */
function taken(folder: string, name: string): Taken {
  const { accountKeys, instructions } = (JSON.parse(files.get(`${folder}/${name}.json`)!) as Answer).transaction.message
  const call = instructions.find(({ programIdIndex }) => accountKeys[programIdIndex] === PROGRAM)!
  return { accounts: call.accounts.map((account) => accountKeys[account]!), data: call.data }
}

const made = ({ accounts = [], data = new Uint8Array() }: Instruction): Taken => ({
  accounts: accounts.map(({ address }) => address),
  data: base58Encode(Buffer.from(data as Uint8Array).toString('latin1')),
})

/** The pool of a life, and who made it, by the places of the interface. */
function poolOf(folder: string): { readonly pool: DbcPool; readonly creator: string } {
  const { accounts } = taken(folder, '01_create')
  const [config, , creator, mint, quoteMint] = accounts as string[]
  const pool = { config, mint, quoteMint, is2022: folder.includes('22') } as unknown as DbcPool
  return { pool, creator: creator! }
}

test('the SDK is the version that the driver was written for', () => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  assert.equal(dependencies[DBC_SDK], DBC_SDK_VERSION)
})

test('a life goes from its configuration to the trade that completes the curve', async () => {
  const vm = createVm(1)
  const labels: string[] = []
  await openDbcDriver(import.meta.dirname).play({
    vm,
    random: createRandom(1, 1, 7),
    steps: 3,
    // without its program nothing of it takes effect, but every transaction can be sent
    async act(label, instructions, { signers }) {
      labels.push(label)
      return vm.run(instructions, signers)
    },
  })
  assert.deepEqual(labels, ['config', 'create', 'c000', 'c001', 'c002', 'complete_partial'])
})

describe('calls of the curve', { skip: NO_DATA }, () => {
  test('there are lives of both token programs', () => assert.equal(folders.length, 2))

  for (const folder of folders) {
    test(`${folder}: the creation`, () => {
      const { pool, creator } = poolOf(folder)
      const name = { name: 'Witness', symbol: 'WIT', uri: 'https://x.invalid/1' }
      assert.deepEqual(made(calls.create(creator as never, creator as never, pool, name)), taken(folder, '01_create'))
    })

    test(`${folder}: the configuration`, () => {
      const { pool } = poolOf(folder)
      const { accounts, data } = taken(folder, '00_config')
      const [, feeClaimer, , , payer] = accounts
      const ours = made(
        calls.config(
          payer as never,
          feeClaimer as never,
          pool,
          calls.curve(curveOf(createRandom(1, 1, 7), pool.is2022, 6)),
        ),
      )
      assert.deepEqual(ours.accounts, accounts)
      assert.equal(ours.data.slice(0, 10), data.slice(0, 10), 'the instruction')
    })

    for (const [name, mode, amounts] of [
      ['02_buy_exact_in', 'exact in', [2_000_000_000n, 0n]],
      ['05_sell_exact_in', 'exact in', [3_000_000_000_000n, 0n]],
      ['07_complete_partial', 'partial fill', [900_000_000_000n, 0n]],
    ] as const)
      test(`${folder}: ${name}`, () => {
        const due = taken(folder, name)
        const [, , , input, output, , , , , user] = due.accounts
        const { pool } = poolOf(folder)
        const ours = calls.swap(user as never, { input, output } as never, pool, mode, amounts)
        assert.deepEqual(made(ours), due)
      })
  }
})
