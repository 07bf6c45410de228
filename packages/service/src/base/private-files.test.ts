import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { EXIT, OperatorError } from './errors.ts'
import { closeToOthers, exposureOf } from './private-files.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'private-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

test('everything below a directory is closed to group and others, once', (t) => {
  const dir = folder(t)
  mkdirSync(join(dir, 'accounts/base'), { recursive: true })
  writeFileSync(join(dir, 'accounts/base/112'), 'x')
  writeFileSync(join(dir, 'own'), 'x', { mode: 0o600 })
  chmodSync(join(dir, 'accounts'), 0o2775)
  chmodSync(join(dir, 'accounts/base'), 0o700)
  chmodSync(join(dir, 'accounts/base/112'), 0o666)
  assert.equal(closeToOthers(dir), 2)
  assert.equal(lstatSync(join(dir, 'accounts')).mode & 0o7777, 0o2700, 'what is no right of others stays')
  assert.equal(modeOf(join(dir, 'accounts/base/112')), 0o600)
  assert.equal(closeToOthers(dir), 0)
})

test('a link is judged and what it leads to is never changed', (t) => {
  const [dir, elsewhere] = [folder(t), folder(t)]
  chmodSync(elsewhere, 0o755)
  symlinkSync(elsewhere, join(dir, 'accounts'))
  assert.throws(
    () => closeToOthers(dir),
    (error) => error instanceof OperatorError && error.exitCode === EXIT.badFile && /chmod -R go= /.test(error.message),
  )
  assert.equal(modeOf(elsewhere), 0o755)
  chmodSync(elsewhere, 0o700)
  assert.equal(closeToOthers(dir), 0)
  rmSync(elsewhere, { recursive: true })
  assert.equal(closeToOthers(dir), 0, 'a link to nothing shows nothing')
})

test('a file with a secret is this user’s alone; one of root’s may be read by the group', () => {
  const own = process.getuid!()
  assert.equal(exposureOf({ uid: own, mode: 0o100600 }, 'id.json'), null)
  assert.equal(exposureOf({ uid: own, mode: 0o100400 }, 'id.json'), null)
  for (const mode of [0o640, 0o620, 0o604, 0o602, 0o601]) {
    assert.match(exposureOf({ uid: own, mode }, 'my id.json')!, /chmod go= 'my id\.json'$/)
  }
  assert.match(exposureOf({ uid: own + 1, mode: 0o600 }, 'id.json')!, /belongs to another user/)
  if (own !== 0) {
    assert.equal(exposureOf({ uid: 0, mode: 0o440 }, 'id.json'), null)
    assert.match(exposureOf({ uid: 0, mode: 0o444 }, 'id.json')!, /open to other users/)
  }
})
