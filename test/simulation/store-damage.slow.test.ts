import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { useSmallBounds } from '../damage/bounds.ts'
import { DAMAGES } from '../damage/damages.ts'
import { type Damaged, markdownOf, roomFor, runDamages, tableOf } from '../damage/run.ts'
import { makeTemplates } from '../damage/templates.ts'
import { seed } from '../support/chance.ts'

/**
 * A data directory is damaged in some way, opened as the service opens it, asked what the service is asked, and compared with
 * an undamaged twin; then it goes on for some entries and is compared again. STORE_DAMAGES: how many; STORE_DAMAGE_FROM: the
 * first of them; STORE_DAMAGES_REPORT: a file for all of them as JSON lines; STORE_DAMAGES_TABLE: a file for the table in Markdown.
 */
const SEED = seed(17)
const COUNT = Number(process.env.STORE_DAMAGES ?? DAMAGES.length)
const FROM = Number(process.env.STORE_DAMAGE_FROM ?? 0)
const { STORE_DAMAGES_REPORT: REPORT, STORE_DAMAGES_TABLE: TABLE } = process.env

test(`${COUNT} damages of a data directory: no answer differs from the undamaged twin's`, async (t) => {
  t.diagnostic(`TEST_SEED=${SEED} STORE_DAMAGE_FROM=${FROM}`)
  useSmallBounds()
  const base = mkdtempSync(join(roomFor(), 'damage-'))
  // another user opens what is in it
  chmodSync(base, 0o777)
  t.after(() => rmSync(base, { recursive: true, force: true }))
  await makeTemplates(base)
  const all: Damaged[] = []
  await runDamages(base, {
    seed: SEED,
    from: FROM,
    to: FROM + COUNT,
    tell(one) {
      all.push(one)
      if (REPORT !== undefined) writeFileSync(REPORT, `${JSON.stringify(one)}\n`, { flag: 'a' })
    },
  })
  for (const [kind, outcomes] of tableOf(all)) t.diagnostic(`${kind}: ${JSON.stringify(outcomes)}`)
  if (TABLE !== undefined) writeFileSync(TABLE, markdownOf(all, `TEST_SEED=${SEED} STORE_DAMAGES=${COUNT}`))
  const bad = all.filter(({ outcome }) => outcome === 'wrong' || outcome === 'crash')
  assert.deepEqual(bad, [])
  const found = all.filter(({ outcome }) => outcome !== 'harmless').length
  assert.ok(found >= COUNT / 4, `${found} of ${COUNT} damages were noticed: they damage nothing`)
})
