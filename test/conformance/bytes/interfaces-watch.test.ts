import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { address, createAddressWithSeed, getProgramDerivedAddress } from '@solana/kit'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import { METEORA_DBC_TEXT, PUMP, PUMP_TEXT } from '@ti/core/model/programs.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { SILENT } from '@ti/service/cli/io.ts'
import { parse } from '@ti/service/cli/parse.ts'
import { ageInDays } from '@ti/service/service/interfaces/news.ts'
import { interfaceAccount, readAccount } from '@ti/service/service/interfaces/on-chain.ts'
import { readPublished } from '@ti/service/service/interfaces/published.ts'
import { addUnknownMetrics } from '@ti/service/service/unknown-status.ts'
import { type FakeNode, type HttpFault, startFakeNode } from '../../fakes/rpc.ts'
import { IDLS } from '../../outside/witness.ts'

/** The command that finds out whether a program has more than the decoder knows. */

const dir = mkdtempSync(join(tmpdir(), 'interfaces-'))
after(() => rmSync(dir, { recursive: true, force: true }))

/** An interface account as Anchor writes it. */
function accountOf(idl: object): Buffer {
  const packed = deflateSync(JSON.stringify(idl))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  const mark = createHash('sha256').update('internal:IdlAccount').digest().subarray(0, 8)
  return Buffer.concat([mark, Buffer.alloc(32, 7), length, packed, Buffer.alloc(64)])
}

let node: FakeNode
let accounts: Map<string, Buffer>
let fault: HttpFault | null
before(async () => {
  node = await startFakeNode([])
  node.knobs.http = (method, [first]) => {
    if (method !== 'getAccountInfo' || fault !== null) return fault ?? undefined
    const bytes = accounts.get(String(first))
    const value = bytes === undefined ? null : { data: [bytes.toString('base64'), 'base64'], lamports: 1 }
    return { kind: 'result', result: { context: { slot: 1 }, value } }
  }
})
after(() => node.close())
beforeEach(() => {
  accounts = new Map()
  fault = null
})

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const definition = DEFINITIONS.find(({ name }) => name === 'interfaces')!
  let text = ''
  const code = await (await definition.load())(parse(definition, args), { ...SILENT, result: (more) => (text += more) })
  return { code: Number(code), text }
}
const rpc = (): string[] => ['--rpc', node.url.href]
const keep = (idl: object): void => void accounts.set(keyToBase58(interfaceAccount(PUMP)), accountOf(idl))

/** pump's interface in npm with what an upgrade may bring. */
const upgraded = () => ({
  ...IDLS.pump,
  instructions: [...IDLS.pump.instructions, { name: 'buy_v4', discriminator: [1, 2, 3, 4, 5, 6, 7, 8], accounts: [] }],
  events: [...IDLS.pump.events, { name: 'NewEvent', discriminator: [8, 7, 6, 5, 4, 3, 2, 1] }],
  types: [
    ...IDLS.pump.types.map((one) =>
      one.name === 'CompleteEvent' && one.type.kind === 'struct'
        ? { ...one, type: { ...one.type, fields: [...one.type.fields!, { name: 'more', type: 'u64' }] } }
        : one,
    ),
    { name: 'NewEvent', type: { kind: 'struct', fields: [] } },
  ],
})

describe('the interface that a program keeps on chain', () => {
  test('is asked for at the address that Anchor derives', async () => {
    const programAddress = address(PUMP_TEXT)
    const [baseAddress] = await getProgramDerivedAddress({ programAddress, seeds: [] })
    const expected = await createAddressWithSeed({ baseAddress, programAddress, seed: 'anchor:idl' })
    assert.equal(keyToBase58(interfaceAccount(PUMP)), expected)
  })

  test('is older than what is known: nothing is new', async () => {
    keep(IDLS.pump)
    const { code, text } = await run(...rpc())
    assert.equal(code, 0)
    assert.match(text, /^pump \(chain\): nothing new; known as of \d{4}-\d\d-\d\d, \d+ days? ago$/m)
    assert.match(text, /^damm_v2 \(chain\): the program keeps no interface in its account; known as of/m)
    assert.equal(text.trim().split('\n').length, Object.keys(IDL_TABLE).length)
  })

  test('has more: every difference is told, and the exit code says so', async () => {
    keep(upgraded())
    const { code, text } = await run(...rpc())
    assert.equal(code, 1)
    assert.deepEqual(
      text.split('\n').flatMap((line) => /^pump \(chain\): (.*); known as of/.exec(line)?.[1] ?? []),
      [
        'instruction buy_v4 0102030405060708 is new',
        'event CompleteEvent 5f72619cd42e9808 has another layout: 32 32 32 8 32 8; known: 32 32 32 8 32',
        'event NewEvent 0807060504030201 is new',
      ],
    )
    const listed = JSON.parse((await run(...rpc(), '--json')).text) as { program: string; news: unknown[] }[]
    assert.equal(listed.find(({ program }) => program === PUMP_TEXT)!.news.length, 3)
  })

  test('cannot be had: this is no agreement', async () => {
    fault = { kind: 'error', code: -32005 }
    const { code, text } = await run(...rpc())
    assert.equal(code, 1)
    assert.match(text, /^pump \(chain\): the node did not answer;/m)
  })

  test('is hostile: cut, changed, bombs and types that contain themselves are no interface, or have no layout', () => {
    const good = accountOf(IDLS.pump)
    assert.ok(readAccount(good) !== null)
    for (let length = 0; length < 200; length++) assert.equal(readAccount(good.subarray(0, length)), null)
    for (const json of [null, 1, [], {}, { instructions: 7 }, { instructions: [{ name: 1 }] }])
      assert.equal(readAccount(accountOf(Object(json))), null)
    const bomb = deflateSync(Buffer.alloc(64 << 20))
    const bombed = Buffer.concat([good.subarray(0, 40), Buffer.alloc(4, 255), bomb])
    assert.equal(readAccount(bombed), null)
    const own = { name: 'E', type: { kind: 'struct', fields: [{ name: 'a', type: { defined: { name: 'E' } } }] } }
    const read = readPublished({ instructions: [], events: [{ name: 'E' }], types: [own] })
    assert.deepEqual(read!.events, [{ name: 'E', discriminator: read!.events[0]!.discriminator, widths: null }])
  })
})

describe('interfaces in files', () => {
  const write = (name: string, idl: object): string => {
    writeFileSync(join(dir, name), JSON.stringify(idl))
    return join(dir, name)
  }

  test('those of the pinned packages have nothing new', async () => {
    const files = Object.entries(IDLS).map(([name, idl]) => write(`${name}.json`, idl))
    const { code, text } = await run(...files)
    assert.equal(code, 0, text)
    assert.equal(text.match(/nothing new/g)!.length, files.length)
  })

  test('one from before Anchor 0.30 is read: without discriminators, in camel case, the address in its metadata', async () => {
    const [{ code, text }, published] = [
      await run(
        write('old.json', {
          ...{ version: '0.1.9', name: 'dynamic_bonding_curve', metadata: { address: METEORA_DBC_TEXT } },
          instructions: [{ name: 'swap2WithTransferHook' }, { name: 'somethingNew' }],
          events: [{ name: 'EvtCurveComplete', fields: [{ name: 'pool', type: 'publicKey', index: false }] }],
        }),
      ),
      readPublished({ instructions: [{ name: 'somethingNew' }] })!,
    ]
    assert.equal(code, 1)
    assert.match(
      text,
      new RegExp(`^meteora_dbc .*instruction somethingNew ${published.instructions[0]!.discriminator} is new`),
    )
    assert.equal(text.trim().split('\n').length, 1)
  })

  test('what is no interface, or of another program, is refused', async () => {
    await assert.rejects(run(write('list.json', [])), /is no interface of Anchor/)
    await assert.rejects(
      run(write('other.json', { ...IDLS.pump, address: '11111111111111111111111111111111' })),
      /none of the watched programs/,
    )
    await assert.rejects(run(), /needs files/)
  })
})

describe('the age of what is known', () => {
  test('is a metric of each program', async () => {
    const metrics = createMetrics()
    addUnknownMetrics(metrics, { kinds: () => [] })
    const text = await metrics.text()
    for (const { label, asOf } of Object.values(IDL_TABLE)) {
      const age = Number(new RegExp(`^ti_interface_age_seconds\\{program="${label}"\\} (\\d+)$`, 'm').exec(text)?.[1]) / 86_400
      assert.ok(Math.abs(age - ageInDays(asOf, Date.now())) <= 1, `${label}: ${age}`)
    }
  })

  test('is told aloud from 30 days on, and never fails: what is true of the program does not depend on the date', () => {
    for (const { label, asOf } of Object.values(IDL_TABLE)) {
      assert.match(asOf, /^20\d\d-\d\d-\d\d$/)
      const age = ageInDays(asOf, Date.now())
      if (age > 30)
        console.warn(`WARNING: the interface of ${label} was last seen on ${asOf}, ${age} days ago: run \`interfaces\``)
    }
  })
})
