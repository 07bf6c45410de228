import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeCodecs } from '../../../scripts/model/codecs.ts'

const FOLDER = new URL('../../../packages/core/src/model/generated/', import.meta.url)

test('the checked-in codecs are those that the tables make', () => {
  const made = makeCodecs()
  assert.deepEqual(readdirSync(FOLDER).sort(), [...made.keys()].sort())
  for (const [name, text] of made)
    assert.equal(readFileSync(new URL(name, FOLDER), 'utf8'), text, `${name}: run \`npm run model\``)
})
