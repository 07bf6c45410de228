import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeKeys } from '../simulation/keys.ts'
import { command, operatorOf, startService } from '../simulation/service.ts'
import { undisturbed } from '../simulation/streams-reader.ts'
import { EXAMPLES, folderIn, installClient, program } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { start } from './start.ts'

/** The gate as a user runs it, against the program. */
const SLOTS = 300
const TPS = 100
const WINDOW = 50
const BUY = ['green', 'yellow']
const MOST_ORDERS = 50

let folder: string
let dir: string
before(async () => {
  folder = folderIn()
  await installClient(folder)
  dir = mkdtempSync(join(tmpdir(), 'gate-'))
})
after(() => {
  rmSync(dir, { recursive: true, force: true })
})

interface Launch {
  readonly mint: string
  readonly slot: number
}
interface Verdict extends Launch {
  readonly seq: number
  readonly colour: string
  readonly code: string
  readonly event: string
}

/** What has to become of a launch: its first verdict in time decides; null while neither a verdict nor the window has passed. */
function expectedOf({ mint, slot }: Launch, verdicts: readonly Verdict[]): string | null {
  const [first] = verdicts.filter((one) => one.mint === mint)
  if (first !== undefined && first.slot <= slot + WINDOW)
    return `${BUY.includes(first.colour) ? 'buy' : 'pass'} ${mint} ${first.colour} ${first.code} ${first.event} ${first.slot}`
  return verdicts.some((one) => one.slot > slot + WINDOW) ? `pass ${mint} neutral none time ${slot}` : null
}

const isDecision = (line: string): boolean => /^(buy|pass) /.test(line)

test('the gate decides on every launch once, by its first verdict, without a question, and its queues stay short', async (t) => {
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--slots', `${SLOTS}`, '--tps', `${TPS}`, '--seed', '5', '--no-truth')
  const told = await undisturbed(capture, join(dir, 'undisturbed'))
  const events = [...told['tokens:live'].values()].map((text) => JSON.parse(text))
  const launches: Launch[] = events.filter(({ type }) => type === 'token_created').map(({ data }) => data)
  const verdicts: Verdict[] = [...told['verdicts:live'].values()].map((text) => JSON.parse(text).data)
  const perMinute = launches.length / ((SLOTS * 0.4) / 60)
  t.diagnostic(`${launches.length} launches, ${Math.round(perMinute)} a minute, ${verdicts.length} verdicts`)
  assert.ok(perMinute >= 60)

  const data = join(dir, 'data')
  const [key] = await makeKeys(data, 1)
  const service = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=0`, PAYMENTS: 'off' })
  t.after(() => service.child.kill('SIGKILL'))
  const url = await service.url
  const gate = start(t, folder, [process.execPath, program(folder, 'gate', EXAMPLES.get('gate')!)], {
    ...{ TI_URL: url, TI_KEY: key!, AFTER_SEQ: '0', WINDOW: `${WINDOW}`, BUY: BUY.join(), ORDER_MS: '300' },
  })
  const expected = launches.map((launch) => expectedOf(launch, verdicts)).filter((line) => line !== null)
  assert.ok(expected.some((line) => line.startsWith('buy')) && expected.some((line) => line.includes('neutral')))
  const isSold = (line: string): boolean =>
    line.startsWith('buy') && verdicts.some(({ mint, colour }) => line.includes(mint) && colour === 'red')
  const sold = expected.filter(isSold).length
  const count = (is: (line: string) => boolean): number => gate.lines.filter(is).length
  await until(
    'all are decided, and all that turned red are sold',
    () => count(isDecision) >= expected.length && count((line) => line.startsWith('sold')) >= sold,
    () => gate.lines.length,
  )
  gate.kill('SIGTERM')
  const lines = await gate.ended
  assert.deepEqual(lines.filter(isDecision).sort(), expected.sort(), 'each launch once')

  const bought = lines.filter((line) => line.startsWith('buy ')).map((line) => line.split(' ')[1]!)
  for (const mint of bought) {
    const own = lines.filter((line) => line.includes(mint)).map((line) => line.split(' ')[0])
    assert.deepEqual(own, ['buy', 'bought', 'sell', 'sold'].slice(0, own.length))
    const isRed = verdicts.filter((one) => one.mint === mint).some(({ colour }) => colour === 'red')
    assert.equal(own.length, isRed ? 4 : 2, 'sold once it turned red, and only then')
  }
  const [, launched, decided, undecided, orders] =
    /^(\d+) launches, (\d+) decisions; at most (\d+) undecided and (\d+) orders at once$/.exec(lines.at(-1)!) ?? []
  t.diagnostic(lines.at(-1)!)
  assert.deepEqual([Number(launched), Number(decided)], [launches.length, expected.length])
  assert.ok(Number(orders) > 1 && Number(orders) <= MOST_ORDERS, 'orders beside each other')
  const within = ({ slot }: Launch): number =>
    launches.filter((one) => one.slot >= slot && one.slot <= slot + 2 * WINDOW).length
  assert.ok(Number(undecided) <= Math.max(...launches.map(within)), 'those of two windows at most')

  const metrics = await (await fetch(`${operatorOf(url)}/metrics`)).text()
  const asked = [...metrics.matchAll(/^ti_http_requests_total\{operation="(\w+)".*\} (\d+)$/gm)]
  assert.deepEqual(
    asked.filter(([, operation]) => operation !== 'stream'),
    [],
    'no question over REST',
  )
})
