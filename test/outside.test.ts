import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { PAYMENT } from '@ti/core/contract/envelope.ts'
import { MAINNET, PLAY } from '@ti/service/access/x402/network.ts'
import * as svm from '@x402/svm'
import { EXEMPT, ROWS } from './outside/rows.ts'
import type { Constant } from './outside/scan.ts'
import { constantsIn } from './outside/scan.ts'
import { sourceConstants } from './outside/source.ts'
import { isExempt, judgeOf } from './outside/table.ts'

/**
 * Facts of the outside world, each against what others have published: a service whose decoder, simulator, tests and page
 * share a wrong constant agrees with itself. Layouts: outside/layouts.test.ts; real bytes: golden/golden.test.ts.
 */
const constants = sourceConstants()
const judged = judgeOf(ROWS, EXEMPT)

describe('facts of the outside world', () => {
  test('every constant in the source is what its witnesses say', (t) => {
    assert.deepEqual(judged(constants), [])
    for (const { fact, must, said } of ROWS)
      t.diagnostic(
        `${fact} | ${said.map(({ by, values }) => `${by}: ${must === 'one' ? values[0] : values.length}`).join('; ')}`,
      )
    for (const { at, why } of EXEMPT) t.diagnostic(`no witness: ${at} | ${why}`)
    assert.ok(constants.length > 80, `${constants.length} constants`)
  })

  test('networks and decimals of payments are those of the official client', () => {
    assert.deepEqual([MAINNET.v2, PLAY.v2], [svm.SOLANA_MAINNET_CAIP2, svm.SOLANA_DEVNET_CAIP2])
    for (const { v1, v2 } of [MAINNET, PLAY]) {
      assert.equal(svm.V1_TO_V2_NETWORK_MAP[v1], v2)
      assert.equal(svm.getDefaultAsset(v2).decimals, PAYMENT.decimals)
    }
  })
})

const proven = constants.filter((one) => !isExempt(one, EXEMPT))

/** The same constant with one mistake of a typist: two neighbours swapped, or one digit that is another. */
function mistyped({ kind, value }: Constant): string[] {
  const swapped = [...Array(value.length).keys()]
    .slice(1)
    .flatMap((i) =>
      value[i - 1] === value[i] ? [] : [value.slice(0, i - 1) + value[i] + value[i - 1] + value.slice(i + 1)],
    )
  const digit = kind === 'address' ? (value.at(-1) === '2' ? '3' : '2') : value.at(-1) === '0' ? '1' : '0'
  const all = [...swapped, value.slice(0, -1) + digit]
  // an address that is none is no constant at all: it would fail when it is read
  return kind === 'address' ? all.filter((text) => keyFromBase58(text) !== null) : all
}

describe('a mistake is noticed', () => {
  test('every mistyped constant', (t) => {
    let tried = 0
    for (const [i, constant] of constants.entries()) {
      if (isExempt(constant, EXEMPT)) continue
      for (const value of mistyped(constant)) {
        tried++
        assert.notDeepEqual(judged(constants.with(i, { ...constant, value })), [], `${constant.at}: ${value} passes`)
      }
    }
    assert.ok(tried > 1_500, `${tried} mistakes`)
    t.diagnostic(`${tried} mistakes in ${proven.length} constants, each noticed`)
  })

  test('two constants of one kind in each other’s place', () => {
    const own = proven.filter((one) => /programs\.ts#[A-Z]+_TEXT|decode\/\w+\.ts#[A-Z]+$/.test(one.at))
    let tried = 0
    for (const a of own)
      for (const b of own) {
        if (a.kind !== b.kind || a.value === b.value || a.at === b.at) continue
        tried++
        const swapped = constants.map((one) =>
          one === a ? { ...a, value: b.value } : one === b ? { ...b, value: a.value } : one,
        )
        assert.notDeepEqual(judged(swapped), [], `${a.at} and ${b.at}`)
      }
    assert.ok(tried > 100, `${tried} pairs`)
  })

  test('a constant that is dropped from a list', () => {
    const listed = constants.filter(({ at }) => /#(TIP_ACCOUNTS_TEXT|SENDING|CALLS|TIMES|NOT_OFFERED)$/.test(at))
    assert.ok(listed.length > 20)
    for (const one of listed) assert.notDeepEqual(judged(constants.filter((it) => it !== one)), [], one.value)
  })

  test('a constant without a row', () => {
    const planted = (line: string) => judged([...constants, ...constantsIn('packages/core/src/decode/new.ts', line)])
    const [address] = constants.filter(({ kind }) => kind === 'address')
    assert.match(planted(`const POOL = '${address!.value}'`).join(), /new\.ts#POOL: address .* has no row/)
    assert.match(planted(`// see ${address!.value}`).join(), /has no row/)
    assert.match(planted("const TAG = tag('0011223344556677')").join(), /discriminator 0011223344556677 has no row/)
    assert.match(planted('const GONE = -32099').join(), /rpc code -32099 has no row/)
    assert.deepEqual(planted("const name = 'MaxLoadedAccountsDataSizeExceeded'"), [])
  })
})
