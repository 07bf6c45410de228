import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { SILENT } from '@ti/service/cli/io.ts'
import { parse } from '@ti/service/cli/parse.ts'
import { ORIGIN, startAccountFace } from '../../support/account-face.ts'
import { proxyAs } from '../../support/proxy-as.ts'
import { wallet } from '../../support/wallet.ts'

const TARGET = base58Encode('w'.repeat(32))

/** The commands against the real face over real accounts; what they wrote to stdout. */
async function open(t: TestContext) {
  const face = await startAccountFace(t, {
    services: (database, now) => ({
      watches: { book: createWatchBook(database, { now }), alertStore: createAlertStore(database) },
    }),
  })
  const url = await proxyAs(t, new URL(ORIGIN).host, face.baseUrl)
  const me = await face.enter(wallet())
  const { key, id } = (await face.makeKey({ name: 'cli' }, me)).json.data as { key: string; id: string }
  async function command(name: string, args: readonly string[], by = key): Promise<string> {
    const definition = DEFINITIONS.find((one) => one.name === name)!
    const out: string[] = []
    const given = parse(definition, [...args, '--url', url, '--key', by])
    const run = await definition.load()
    await run(given, { ...SILENT, result: (text) => void out.push(text) })
    return out.join('')
  }
  return { ...face, me, command, keyId: id }
}

test('any operation is called by its name, with its path, query and body', async (t) => {
  const { command } = await open(t)
  const call = async (...args: string[]) => JSON.parse(await command('call', args))
  const { data } = await call('add_watch', 'kind=wallet', `target=${TARGET}`, 'name=7', 'min_sol=1.5').catch(() => ({}))
  assert.equal(data, undefined, 'a name is a text')
  const made = await call('add_watch', 'kind=wallet', `target=${TARGET}`, 'name="7"', 'min_sol=1.5')
  assert.deepEqual([made.data.name, made.data.min_sol], ['7', 1.5])
  const changed = await call('change_watch', made.data.id, 'paused=true')
  assert.equal(changed.data.state, 'paused')
  assert.deepEqual((await call('watches')).data, [changed.data])
  assert.deepEqual((await call('alerts', 'after_seq=0')).data, [])
  assert.deepEqual((await call('remove_watch', made.data.id)).data, { deleted: true })
  await assert.rejects(call('change_watch'), /change_watch takes \{id\}/)
  await assert.rejects(call('watches', 'x=1'), /expected NAME=VALUE/)
  await assert.rejects(call('watchs'), /there is no operation "watchs"/)
  await assert.rejects(call('make_key', 'name=x'), /there is no operation "make_key"/, 'a key makes no keys')
})

test('what the service refuses is said in its words, and a revoked key is refused', async (t) => {
  const { command, call, me, keyId } = await open(t)
  await assert.rejects(command('call', ['add_watch', 'kind=wallet', 'target=x', 'name=x']), /target: not an address/)
  await assert.rejects(command('call', ['remove_watch', 'watch_x']), /no such watch/)
  await assert.rejects(command('call', ['watches'], 'sk_live_'), /that is no key/)
  await assert.rejects(command('call', ['alerts'], `sk_live_${'x'.repeat(43)}`), /The API key is unknown/)
  assert.equal((await call('DELETE', `/account/keys/${keyId}`, undefined, me)).status, 200)
  await assert.rejects(command('call', ['watches']), /The API key was revoked/)
})
