import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { filesOfTar } from '../../support/tar.ts'
import { DATA, NO_DATA } from './idl.ts'
import { judgeLife, lifeOf } from './lives.ts'

/** Lives of tokens on the launchpad's own programs: each fact is what the accounts say, after each transaction. */
const table: string[] = []
after(() => {
  if (table.length > 0) console.log(['life | transactions | facts | differences', ...table].join('\n'))
})

/** An archive's folders, each with the files of one life. */
function livesIn(archive: string): Map<string, Map<string, string>> {
  const lives = new Map<string, Map<string, string>>()
  for (const [path, text] of filesOfTar(readFileSync(join(DATA, 'real3/vm', archive)))) {
    const files = lives.get(dirname(path)) ?? new Map<string, string>()
    lives.set(dirname(path), files.set(path.slice(dirname(path).length + 1), text))
  }
  return lives
}

/** The archives, and how many lives are in each. */
const ARCHIVES = { 'dbc_spl.tar.gz': 1, 'dbc_token2022.tar.gz': 1, 'plain_walk.tar.gz': 2 }

describe('lives on real programs', { skip: NO_DATA }, () => {
  for (const [archive, count] of Object.entries(ARCHIVES))
    test(archive, async () => {
      const lives = livesIn(archive)
      assert.equal(lives.size, count)
      for (const [folder, files] of lives) {
        const life = lifeOf(folder, files)
        const { facts, wrong } = await judgeLife(life)
        table.push(`${folder} | ${life.steps.length} | ${facts} | ${wrong.length}`)
        assert.equal(wrong.join('\n'), '')
      }
    })
})
