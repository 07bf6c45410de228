import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { openStore } from '@ti/service/store/open.ts'
import { makeKeys } from '../../simulation/keys.ts'
import { command, operatorOf, PATIENCE_MS, replay, startService } from '../../simulation/service.ts'
import { runs } from '../../support/chance.ts'
import { fuzzHttp } from './fuzz.ts'

/** The real program, started as an operator starts it, over a simulated market. */
const dir = mkdtempSync(join(tmpdir(), 'service-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const SHARED = resolve(import.meta.dirname, '../../../../shared')

test('a first start serves new tokens with live data, and its curl lines work', async (t) => {
  const started = performance.now()
  const service = startService({ DATA_DIR: join(dir, 'first'), VALIDATE_RESPONSES: '1' })
  try {
    const url = await service.url
    const key = await service.key
    assert.match(key ?? '', /^sk_test_/)
    const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    // a first start makes an hour of history first; then the newest token is minutes old
    let cards: { mint: string; deployed_at: string }[] = []
    const isLive = (): boolean => cards.length > 0 && Date.now() - Date.parse(cards[0]!.deployed_at) < 6 * 60_000
    for (; !isLive(); await setTimeout(200)) {
      assert.ok(performance.now() - started < PATIENCE_MS - 10_000, `no new token yet: ${JSON.stringify(cards[0])}`)
      const answer = await get('/v1/tokens/new')
      if (answer.ok) cards = ((await answer.json()) as { data: typeof cards }).data
    }
    // on a machine that does nothing else this is to be under a minute
    t.diagnostic(`live after ${Math.round((performance.now() - started) / 1000)} s`)
    assert.equal((await get('/v1/tokens/graduated')).status, 200)
    assert.equal((await get('/readyz')).status, 200)
    const { data } = (await (await get(`/v1/tokens/${cards[0]!.mint}`)).json()) as { data: object }
    assert.deepEqual(Object.keys(data).sort(), [...SNAPSHOT_GROUPS].sort())
    const metrics = await (await fetch(`${operatorOf(url)}/metrics`)).text()
    assert.match(metrics, /^ti_blocks_total [1-9]/m)
    service.child.kill('SIGTERM')
    assert.equal((await service.exit).code, 0)
  } finally {
    service.child.kill('SIGKILL')
  }
})

test('every operation answers as documented whatever it is asked, over real state', async (t) => {
  const capture = join(dir, 'market.capture')
  const data = join(dir, 'fuzz')
  await command('capture', 'simulate', capture, '--trades', '5000', '--seed', '3')
  await replay(capture, data)
  const keys = await makeKeys(data, 10)
  const known = knownAddresses(data)
  const source = `capture:${capture}?speed=0`
  const service = startService({ DATA_DIR: data, SOURCE: source, VALIDATE_RESPONSES: '1' })
  try {
    await fuzzHttp({ baseUrl: await service.url, keys, known, runs: runs(200) })
    t.diagnostic(`${known.mints.length} mints, ${known.wallets.length} wallets, ${known.deployers.length} deployers`)
  } finally {
    service.child.kill('SIGTERM')
    assert.equal((await service.exit).code, 0)
  }
})

/** A few of each kind, taken from the end of the state, so that all of them have something to say. */
function knownAddresses(data: string) {
  const store = openStore(data)
  const globals = store.globals()!
  const tokens = Array.from({ length: 5 }, (_, i) => store.token(globals.nextToken - 1 - i)!)
  const traders = [...store.trades(globals.nextTrade - 5)].map((row) => store.wallet(row.wallet)!)
  const known = {
    mints: tokens.map((token) => keyToBase58(token.mint)),
    wallets: [...new Set(traders.map((wallet) => keyToBase58(wallet.address)))],
    deployers: [...new Set(tokens.map((token) => keyToBase58(store.wallet(token.deployer)!.address)))],
  }
  void store.close()
  return known
}

test('wrong options and files are refused in words a person can act on', async () => {
  const cases: [Record<string, string>, string[], number, RegExp][] = [
    [{ PORT: 'http' }, ['serve'], 2, /PORT="http".*0 to 65535/],
    [{ SOURCE: 'capture:/nowhere/x.capture' }, ['serve'], 4, /x\.capture/],
    [{ SOURCE: 'yellowstone:example.com' }, ['serve'], 2, /yellowstone.*https:\/\/host:port/],
    [{ SOURCE: 'rpc:' }, ['serve'], 2, /rpc:https:\/\/HOST.*SOURCE_RPC_URL/],
    [{}, ['fly'], 2, /no command "fly"/],
    [{}, ['replay'], 2, /replay FILE/],
    [{}, ['capture', 'import', '/nowhere/a.csv', join(dir, 'x.capture')], 4, /a\.csv/],
  ]
  for (const [env, args, code, message] of cases) {
    const ended = await startService({ DATA_DIR: join(dir, 'refused'), ...env }, args).exit
    assert.match(ended.stderr, message, args.join(' '))
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    assert.doesNotMatch(ended.stderr, /\n {4}at /, 'a stack is no message')
  }
})

test('everything under raw_tx, streams and trades can be imported and replayed together', {
  skip: existsSync(SHARED) ? false : `real material is not at ${SHARED}`,
}, async (t) => {
  const inputs = [
    'raw_tx/cxcx_grpc-block.json',
    'raw_tx/cxcx_shred-tx.json',
    'streams/helius_logs_subscribe_pumpfun.jsonl',
  ]
  const numbered = readFileSync(join(SHARED, 'data/raw_tx/INDEX.csv'), 'utf8').match(/^\d\d_\S+?\.json/gm) ?? []
  const trades = ['trades/pumpfun_trades.csv', 'trades/pumpswap_swaps.jsonl']
  const files = [...inputs, ...numbered.map((name) => `raw_tx/${name}`), ...trades].map((name) =>
    join(SHARED, 'data', name),
  )
  const out = join(dir, 'real.capture')
  const imported = await startService({}, ['capture', 'import', ...files, out, '--sol-usd', '150']).exit
  assert.equal(imported.code, 0, imported.stderr)
  const report = await replay(out, join(dir, 'real'))
  assert.ok(report.trades > 6_000 && report.tokens >= 20, JSON.stringify(report))
  t.diagnostic(JSON.stringify({ ...report, microseconds_per_trade: undefined }))
})
