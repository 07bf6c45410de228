import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiText } from '../../src/contract/openapi.ts'
import { FORMULAS_VERSION } from '../../src/engine/constants.ts'

test('the checked-in openapi.json is the generated one', () => {
  const checkedIn = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  assert.equal(checkedIn, openApiText({ formulasVersion: FORMULAS_VERSION }), 'run `npm run openapi`')
})
