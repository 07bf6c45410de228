import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HANDSHAKES, JOINS, PARSING, WINDOWS } from './interface-rows.ts'
import { OUTBOUND_ANSWERS, OUTBOUND_NAMES, OUTBOUND_URLS } from './outbound-rows.ts'
import { SMUGGLING } from './smuggling-rows.ts'

type Named = { readonly name: string }

/** Attacks that are rows of a table, by group. */
const TABLES: Readonly<Record<string, readonly Named[]>> = {
  'requests within requests': SMUGGLING,
  'the outbound filter': [...OUTBOUND_URLS, ...OUTBOUND_NAMES, ...OUTBOUND_ANSWERS],
  parsing: PARSING,
  windows: WINDOWS,
  streams: [...HANDSHAKES, ...JOINS],
}

/** Attacks with a scene of their own: the tests of these files, each one at least. */
const SCENES: Readonly<Record<string, readonly string[]>> = {
  payments: ['payments-answers', 'payments-crowd', 'payments-junk'],
  'fee economics': ['payments-fees'],
  ledger: ['ledger-lost'],
  'free tier': ['free-tier', 'page'],
  accounts: ['account', 'cookie'],
  availability: ['connections', 'shared', 'shortages', 'start'],
  words: ['red-team'],
  files: ['files', 'volumes'],
}

/** what the issue speaks of */
const LEAST = { all: 150, outbound: 70, smuggling: 31 } as const

const FILES = readdirSync(import.meta.dirname).filter((name) => /\.(test|attack)\.ts$/.test(name))

const testsIn = (stem: string): number => {
  const file = FILES.find((name) => name.startsWith(`${stem}.`))
  assert.ok(file !== undefined, `${stem} is not there`)
  return [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^ *test\(/gm)].length
}

test('the list of attacks: by group, each once, and as many as were tried', (t) => {
  let all = 0
  for (const [group, rows] of Object.entries(TABLES)) {
    const names = rows.map(({ name }) => name)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
      `${group}: a name stands for two attacks`,
    )
    t.diagnostic(`${group}: ${rows.length}`)
    all += rows.length
  }
  for (const [group, stems] of Object.entries(SCENES)) {
    const tests = stems.map(testsIn).reduce((sum, count) => sum + count, 0)
    assert.ok(tests >= stems.length, group)
    t.diagnostic(`${group}: ${tests}`)
    all += tests
  }
  t.diagnostic(`in all: ${all}`)
  assert.ok(all >= LEAST.all)
  assert.ok(TABLES['the outbound filter']!.length >= LEAST.outbound)
  assert.ok(SMUGGLING.length >= LEAST.smuggling)
})

test('every file of attacks is counted', () => {
  const tables = ['attacks', 'smuggling', 'outbound', 'interface']
  const known = [...tables, ...Object.values(SCENES).flat()]
  const unknown = FILES.filter((name) => !known.includes(name.split('.', 1)[0]!))
  assert.deepEqual(unknown, [])
})
