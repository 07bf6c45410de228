import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { readHead } from '@ti/service/log/codec.ts'
import { openSource } from '@ti/service/source/open.ts'
import { command, operatorOf, startService } from './service.ts'

/** What a running service served at slot S is what `replay --until-slot S` prints, byte for byte. */
const MOMENTS = 4

const dir = mkdtempSync(join(tmpdir(), 'time-travel-'))
const capture = join(dir, 'market.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(() => command('capture', 'simulate', capture, '--trades', '6000', '--seed', '3', '--no-truth'))

/** a mint the service knew */
let seen = ''

/** slot → number in the log of the last entry before the next block: then the service shows the slot's final state */
async function lastEntries(): Promise<ReadonlyMap<number, number>> {
  const source = await openSource(`capture:${capture}?speed=0`)
  const last = new Map<number, number>()
  const start = { slot: -1, time: 0, facts: 0 }
  let slot = -1
  let seq = 0
  for await (const batch of createEntryStream(source).batches(start, new AbortController().signal)) {
    for (const bytes of batch) {
      const head = readHead(0, bytes)
      if (head.kind === 'block') slot = head.slot
      last.set(slot, seq++)
    }
  }
  return last
}

interface Moment {
  readonly slot: number
  /** option of `replay`, its value → bytes of `data` */
  readonly answers: ReadonlyMap<readonly [option: string, value: string], string>
}

test('replay prints the bytes that the service served at that slot', async () => {
  const service = startService({ SOURCE: `capture:${capture}?speed=1`, DATA_DIR: join(dir, 'data') })
  const moments: Moment[] = []
  const last = await lastEntries()
  try {
    const url = await service.url
    const headers = { authorization: `Bearer ${await service.key}` }
    const dataOf = async (path: string): Promise<string> => {
      const answer = await fetch(url + path, { headers })
      const text = await answer.text()
      assert.ok(answer.status === 200 || answer.status === 503, text)
      return text.slice('{"data":'.length, text.lastIndexOf(',"meta":'))
    }
    const now = async () => (await (await fetch(`${operatorOf(url)}/readyz`)).json()) as { slot: number; seq: number }
    while (moments.length < MOMENTS) {
      const { slot, seq } = await now()
      const isNew = slot > (moments.at(-1)?.slot ?? -1) + 1
      if (!isNew || seq !== last.get(slot)) {
        await setTimeout(10)
        continue
      }
      const list = await dataOf('/v1/tokens/new')
      const answers = new Map<readonly [string, string], string>([[['--list', 'new'], list]])
      const cards = list.startsWith('[') ? (JSON.parse(list) as { mint: string }[]) : []
      for (const { mint } of cards.slice(0, 1)) {
        seen = mint
        answers.set(['--snapshot', mint], await dataOf(`/v1/tokens/${mint}`))
        answers.set(['--trades', mint], await dataOf(`/v1/tokens/${mint}/trades`))
      }
      // an entry in between would mix two moments
      if (cards.length > 0 && (await now()).seq === seq) moments.push({ slot, answers })
      else await setTimeout(200)
    }
  } finally {
    service.child.kill('SIGTERM')
    await service.exit
  }
  for (const { slot, answers } of moments) {
    for (const [[option, value], served] of answers) {
      const printed = await command('replay', capture, '--until-slot', String(slot), option, value)
      assert.equal(printed, served, `${option} ${value} at slot ${slot}`)
    }
  }
})

test('explain adds up to the score that was served, from a capture and from the service’s own store', async () => {
  const last = JSON.parse(await command('capture', 'info', capture, '--json')) as { lastSlot: number }
  const [card] = JSON.parse(await command('replay', capture, '--list', 'new')) as { mint: string; score: number }[]
  const args = ['explain', card!.mint, '--file', capture, '--until-slot', String(last.lastSlot)]
  const explanation = JSON.parse(await command(...args, '--json')) as {
    slot: number
    score: { value: number; contributions: { points: number }[] }
  }
  const sum = explanation.score.contributions.reduce((total, { points }) => total + Math.round(points * 1e6), 0)
  assert.equal(sum, Math.round(explanation.score.value * 1e6))
  assert.equal(explanation.score.value, card!.score)
  const text = await command(...args)
  assert.match(text, new RegExp(`score ${card!.score.toFixed(1)}`))
  await assert.rejects(command('explain', 'nobody'), /base58/)
})

test('explain reads the store that a service left behind, without its lock', async () => {
  const args = ['explain', seen, '--data-dir', join(dir, 'data'), '--json']
  const explanation = JSON.parse(await command(...args)) as { mint: string; slot: number }
  assert.equal(explanation.mint, seen)
  assert.ok(explanation.slot > 0)
  await assert.rejects(command('explain', seen, '--data-dir', join(dir, 'nothing')), /no such file/)
})
