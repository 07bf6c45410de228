import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { after, test } from 'node:test'

/**
 * What `npm pack` puts together from the built program, unpacked and run. Its packages are those of the repository: to install
 * them takes a network.
 */
const ROOT = resolve(import.meta.dirname, '../..')
const dir = mkdtempSync(join(tmpdir(), 'pack-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

const pack = (): Packed => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir]
  return JSON.parse(execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }).toString())[0]
}

test('the tarball has what the program needs and nothing else, and runs by its name', () => {
  const { filename, files } = pack()
  const paths = files.map(({ path }) => path)
  const known =
    /^(dist\/.+\.js|dist\/fingerprint\.txt|dist\/web\/.+|docs\/(agents|start|streams)\.md|package\.json|README\.md|LICENSE)$/
  assert.deepEqual(
    paths.filter((path) => !known.test(path) || /\.(map|test\.js|tsbuildinfo)$/.test(path)),
    [],
  )
  for (const needed of ['dist/main.js', 'dist/web/index.html', 'docs/start.md', 'LICENSE', 'README.md']) {
    assert.ok(paths.includes(needed), needed)
  }
  for (const path of paths) {
    if (!path.endsWith('.js') || path.startsWith('dist/web/')) continue
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, target] of text.matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)) {
      const to = posix.normalize(posix.join(dirname(path), target!))
      assert.ok(paths.includes(to), `${path} imports ${to}`)
    }
  }

  execFileSync('tar', ['-xzf', join(dir, filename), '-C', dir])
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'package/node_modules'))
  const { bin, version } = JSON.parse(readFileSync(join(dir, 'package/package.json'), 'utf8'))
  assert.deepEqual(Object.keys(bin), ['token-intelligence'])
  const main = join(dir, 'package', bin['token-intelligence'])
  assert.match(readFileSync(main, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  const named = join(dir, 'token-intelligence')
  symlinkSync(main, named)
  const run = (...args: string[]) => execFileSync(process.execPath, [named, ...args], { cwd: dir }).toString()
  assert.equal(run('--version'), `${version}\n`)
  assert.match(run('help', 'replay'), /^usage: token-intelligence replay /)
  const counts = JSON.parse(run('capture', 'simulate', 'one.capture', '--trades', '300', '--json'))
  assert.ok(counts.transactions >= 300)
  assert.equal(JSON.parse(run('replay', 'one.capture', '--json')).events > 300, true)
  assert.ok(existsSync(join(dir, 'one.capture.truth.jsonl')))
})
