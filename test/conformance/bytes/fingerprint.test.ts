import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOLD_FINGERPRINT } from '@ti/service/store/fingerprint.ts'
import { fingerprintOf } from '../../../scripts/fingerprint.mjs'

/** The same sources with `from` replaced in one file, where it must be. */
async function changed(file: string, from: RegExp | string, to: string): Promise<string> {
  let isThere = false
  const fingerprint = await fingerprintOf((path, text) => {
    if (path !== file) return text
    isThere ||= text !== text.replace(from, '\0')
    return text.replace(from, to)
  })
  assert.ok(isThere, `${from} is in ${file}, and ${file} in the fold`)
  return fingerprint
}

test('the build has the fingerprint of these sources', async () => {
  assert.match(FOLD_FINGERPRINT, /^[0-9a-f]{16}$/)
  assert.equal(await fingerprintOf(), FOLD_FINGERPRINT)
})

test('the fingerprint changes with every number and statement of the fold', async () => {
  const changes = [
    ['packages/core/src/engine/constants.ts', /(FORMULAS_VERSION = '\d+)/, '$1.1'],
    ['packages/core/src/engine/constants.ts', /: \d[\d_]*,/, ': 17,'],
    ['packages/core/src/engine/constants-bundles.ts', /: \d[\d_]*,/, ': 17,'],
    ['packages/core/src/engine/outlook/log2.ts', /ONE = \d[\d_]*/, 'ONE = 17'],
    ['packages/core/src/engine/engine.ts', 'globals.seq = seq', 'globals.seq = seq - 1'],
    ['packages/core/src/engine/deployers.ts', ' > ', ' >= '],
    ['packages/core/src/engine/reading/signals.ts', /conditions\.filter/, 'conditions.map'],
    ['packages/service/src/log/codec.ts', 'VERSION = 6', 'VERSION = 7'],
    ['packages/core/src/model/generated/rows.ts', /w\.num\(/, 'w.int('],
    ['packages/core/src/base/ids.ts', /offset \+ 32/, 'offset + 31'],
  ] as const
  const all = await Promise.all(changes.map(([file, from, to]) => changed(file, from, to)))
  assert.equal(new Set([...all, FOLD_FINGERPRINT]).size, changes.length + 1, all.join())
})

test('the fingerprint does not change with comments, layout, types or names inside a function', async () => {
  const same = await fingerprintOf((_, text) => `// a comment\n${text.replaceAll('\n', '\n\n')}\n/** Another one. */\n`)
  assert.equal(same, FOLD_FINGERPRINT)
  assert.equal(
    await changed('packages/core/src/engine/constants.ts', /$/, '\nexport type Unused = number\n'),
    FOLD_FINGERPRINT,
  )
  const renamed = await changed('packages/service/src/ingest/commit.ts', /\bchanges\b(?!\(|:)/g, 'changed')
  assert.equal(renamed, FOLD_FINGERPRINT)
})
