import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { createPageTokens } from '../page-token.ts'
import { sharedSecret } from './shared-secret.ts'

test('nodes that ask at once have one secret, also after a restart; without its row there is another', async (t) => {
  const database = await emptyDatabase(t)
  const all = await Promise.all(Array.from({ length: 8 }, () => sharedSecret(database, 'page')))
  assert.equal(all[0]!.length, 32)
  assert.equal(new Set(all.map((secret) => Buffer.from(secret).toString('hex'))).size, 1)
  assert.deepEqual(await sharedSecret(database, 'page'), all[0])

  const now = () => 1_000
  const [one, other] = all.slice(0, 2).map((secret) => createPageTokens(secret, now))
  const cookie = one!.make(61_000)
  assert.deepEqual(other!.read(cookie), one!.read(cookie))
  assert.equal(other!.read(cookie)?.untilMs, 61_000)

  await database.sql.deleteFrom('secrets').execute()
  const rotated = await sharedSecret(database, 'page')
  assert.notDeepEqual(rotated, all[0])
  assert.equal(createPageTokens(rotated, now).read(cookie), null)
})
