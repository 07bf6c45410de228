import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiText } from '@ti/core/contract/openapi.ts'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'

test('the checked-in openapi.json is the generated one', () => {
  const checkedIn = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  assert.equal(checkedIn, openApiText({ formulasVersion: FORMULAS_VERSION }), 'run `npm run openapi`')
})
