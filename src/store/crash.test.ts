import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from './open.ts'

const KILLS = 20
const ROWS = 40
const OPTIONS = { formulasVersion: '1' }

/** Commits numbered batches from where the store ends, for ever, saying each number once it is committed. */
const writer = `
  import { writeSync } from 'node:fs'
  const { openStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
  const { encodeEntry } = await import(${JSON.stringify(new URL('../log/codec.ts', import.meta.url).href)})
  const store = openStore(process.argv[1], ${JSON.stringify(OPTIONS)})
  const numbers = Array.from({ length: ${ROWS} }, (_, i) => i)
  for (let seq = store.log.newest() + 1; ; seq++) {
    store.transaction(() => {
      store.log.append(seq, encodeEntry({ kind: 'gap', from: seq, to: seq }))
      store.write({
        globals: {
          seq, firstSlot: 0, slot: seq, time: 0, factsSince: 0, nextToken: 0, nextWallet: 0, nextTrade: 0, solUsd: 0,
          frames: 0, tokenEvents: 0, population: { picks: 0, healthyPicks: 0, holds: [] }, unpricedTrades: 0, missingSlots: 0, migrated: numbers,
        },
        tokens: [], wallets: [], bundles: [], agents: null, newTokens: [], newWallets: [], pools: new Map(), firstUses: [],
        tokenEvents: [], frameMarks: [[seq + 1, seq * ${ROWS}]],
        positions: numbers.map((wallet) => ({
          token: (wallet * 7919 + seq) % 1000, wallet, balance: seq, cost: 0, acquiredSlot: 0, bought: 0, sold: 0,
          firstBuySlot: 0, lastBuySlot: 0, lastSellSlot: 0, received: 0, peak: 0, episodeIn: 0, episodeOut: 0,
          closed: false, writtenOff: false, roundTrips: 0, tripOpen: false, group: -1, rugCounted: false, owner: null,
        })),
        trades: numbers.map((i) => ({
          no: seq * ${ROWS} + i, token: 0, wallet: 0, prev: -1, sig: 's'.repeat(64), outer: 0, inner: 0, venue: 0,
          slot: seq, time: 0, isBuy: true, lamports: 0, tokens: 0, mcap: 0, buysBefore: 0, buyLamportsBefore: 0,
          avgHoldSlots: null, pnlLamports: null, roi: null, winRate: null, healthyRate: null, sellImpact: null,
          bundledRate: null, solBalance: null, smart: false, group: -1,
        })),
        launches: numbers.map((token) => [seq, token]),
        live: new Map([[seq, true], [seq - 1, false]]),
      })
    })
    writeSync(1, seq + '\\n')
  }`

/** Kills the writer right after it acknowledged its `batches`-th batch; returns the last number it acknowledged. */
async function killAfter(dir: string, batches: number): Promise<number> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', writer, dir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
    if (said.split('\n').length > batches) child.kill('SIGKILL')
  })
  const [, signal] = await closed
  assert.equal(signal, 'SIGKILL')
  return Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1))
}

test(`killed ${KILLS} times while it commits, the store holds every acknowledged batch and no half one`, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'crash-'))
  t.after(() => rmSync(dir, { recursive: true }))
  let last = -1
  for (let kill = 0; kill < KILLS; kill++) {
    const acknowledged = await killAfter(dir, 1 + ((kill * 7) % 31))
    assert.ok(acknowledged > last, `${acknowledged} after ${last}`)
    const store = openStore(dir, OPTIONS)
    last = store.log.newest()
    assert.ok(last >= acknowledged, `batch ${acknowledged} was acknowledged, the store ends at ${last}`)
    assert.equal(store.globals()?.seq, last)
    assert.deepEqual(store.liveTokenIds(), [last])
    assert.equal(store.entries().log, last + 1)
    assert.equal(store.entries().trades, (last + 1) * ROWS)
    assert.equal(store.entries().launches, (last + 1) * ROWS)
    assert.deepEqual(
      [...store.trades(0)].map((row) => row.slot),
      Array.from({ length: (last + 1) * ROWS }, (_, no) => Math.floor(no / ROWS)),
    )
    for (let wallet = 0; wallet < ROWS; wallet++) {
      const position = store.positions((wallet * 7919 + last) % 1000).find((p) => p.wallet === wallet)
      assert.equal(position?.balance, last)
    }
    await store.close()
  }
})
