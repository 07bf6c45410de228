import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { keyOf } from '../../../../test/support/store-scene.ts'
import { openStore } from './open.ts'

const KILLS = 20
const ROWS = 40

/** Commits numbered batches from the store's end on, endlessly, and prints each number once committed. */
const writer = `
  import { writeSync } from 'node:fs'
  const { openStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
  const scene = await import(${JSON.stringify(new URL('../../../../test/support/store-scene.ts', import.meta.url).href)})
  const store = openStore(process.argv[1])
  const numbers = Array.from({ length: ${ROWS} }, (_, i) => i)
  // entries that only the log has are folded first, as in the service
  for (let seq = store.position().seq + 1; ; seq++) {
    const first = seq === 0
    // another token each time, and all wallets with the first one
    const changed = [seq, ...(first ? [] : [seq - 1])].map((id) => scene.token(id, seq))
    const wallets = numbers.map((id) => ({ ...scene.wallet(id), launches: seq + 1 }))
    const all = scene.changes(store, {
      tokens: changed, newTokens: [scene.token(seq)], wallets, newWallets: first ? wallets : [],
      positions: changed.flatMap(({ id }) => numbers.map((wallet) => scene.position(id, wallet, seq))),
      trades: numbers.map((i) => ({ ...scene.trade(seq * ${ROWS} + i, -1), slot: seq })),
      frameMarks: [[seq + 1, seq * ${ROWS}]],
      launches: numbers.map((wallet) => [wallet, seq]),
      live: new Map([[seq, true], ...(first ? [] : [[seq - 1, false]])]),
    }, seq)
    store.transaction(() => {
      if (seq > store.log.newest()) store.append(seq, scene.entry(seq))
      store.write(all)
    })
    writeSync(1, seq + '\\n')
  }`

/** Kills the writer right after its `batches`-th batch and returns the last acknowledged number. */
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
    const store = openStore(dir)
    last = store.log.newest()
    assert.ok(last >= acknowledged, `batch ${acknowledged} was acknowledged, the store ends at ${last}`)
    // the log may be ahead of the state by unacknowledged entries
    const { seq } = store.position()
    assert.ok(seq >= acknowledged && seq >= last - 1, `the state is as of ${seq}, the log ends at ${last}`)
    last = seq
    assert.equal(store.globals()?.seq, last)
    assert.deepEqual(store.liveTokenIds(), [last])
    assert.equal(store.entries().trades, (last + 1) * ROWS)
    assert.deepEqual(
      [...store.trades(0)].map((row) => row.slot),
      Array.from({ length: (last + 1) * ROWS }, (_, no) => Math.floor(no / ROWS)),
    )
    assert.deepEqual(store.frameMark(last + 1), [last + 1, last * ROWS])
    const all = Array.from({ length: last + 1 }, (_, id) => last - id)
    for (let wallet = 0; wallet < ROWS; wallet++) assert.deepEqual(store.launches(wallet, 0, 1e6), all)
    for (const id of all) {
      assert.equal(store.tokenIdByMint(keyOf(id)), id)
      const balances = store.positions(id).map(({ balance }) => balance)
      assert.deepEqual(balances, new Array(ROWS).fill(Math.min(id + 1, last)))
    }
    await store.close()
  }
})
