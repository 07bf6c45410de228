import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { EXAMPLES } from '@ti/core/contract/examples.ts'
import { KEYS } from '../support/fake-service.ts'
import { openLive } from '../support/live-service.ts'
import { inPython, PYTHON } from './tools.ts'

/** The packages of the clients, as they are published: made, installed where nothing else is, and used from there. */
const ROOT = resolve(import.meta.dirname, '../..')
const dir = mkdtempSync(join(tmpdir(), 'publish-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const run = async (file: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)(file, args, { cwd, env: { ...process.env, ...env } })).stdout.trim()

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { version } = JSON.parse(read('openapi.json')).info
const SYMBOLS = EXAMPLES.new.data.map(({ symbol }: { readonly symbol: string }) => symbol).join(' ')

test('npm: the tarball installs without a network and without another package, and answers', async (t) => {
  const source = join(dir, 'clients/typescript')
  // a copy, because the compiler writes beside its sources
  cpSync(join(ROOT, 'clients/typescript'), source, { recursive: true })
  cpSync(join(ROOT, 'tsconfig.json'), join(dir, 'tsconfig.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', dir], source)
  const empty = join(dir, 'empty')
  mkdirSync(empty)
  const tarball = join(dir, `token-intelligence-client-${version}.tgz`)
  await run(
    'npm',
    ['install', '--offline', '--omit=peer', '--no-audit', '--no-fund', '--prefix', empty, tarball],
    empty,
  )
  assert.deepEqual(
    readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@token-intelligence'],
  )
  const shipped = readdirSync(join(empty, 'node_modules/@token-intelligence/client'))
  assert.deepEqual(shipped.sort(), ['README.md', 'dist', 'package.json'])
  const program = `import { createClient } from '@token-intelligence/client'
    const { data } = await createClient({ baseUrl: process.env.URL, apiKey: process.env.KEY }).new_tokens()
    console.log(data.map(({ symbol }) => symbol).join(' '))`
  const { baseUrl: URL } = await openLive(t)
  const said = await run(process.execPath, ['--input-type=module', '-e', program], empty, { URL, KEY: KEYS.pro })
  assert.equal(said, SYMBOLS)
})

test('PyPI: the wheel is built with setuptools, installs without a network, and answers', inPython, async (t) => {
  // a copy, because setuptools writes beside its sources
  const source = join(dir, 'python')
  cpSync(join(ROOT, 'clients/python'), source, { recursive: true })
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input']
  const alone = ['--no-index', '--no-deps', '--no-cache-dir', '--quiet']
  await run(PYTHON!, [...pip, 'wheel', ...alone, '--no-build-isolation', '--wheel-dir', dir, source], dir)
  const wheel = join(dir, `token_intelligence_client-${version}-py3-none-any.whl`)
  const site = join(dir, 'site')
  await run(PYTHON!, [...pip, 'install', ...alone, '--target', site, wheel], dir)
  assert.ok(readdirSync(join(site, 'token_intelligence')).includes('py.typed'))
  const program = `import os
from token_intelligence import Client, __file__
assert __file__.startswith(os.environ['PYTHONPATH'])
with Client(os.environ['KEY'], base_url=os.environ['URL']) as client:
    print(*(token['symbol'] for token in client.new_tokens()['data']))`
  const { baseUrl: URL } = await openLive(t)
  assert.equal(await run(PYTHON!, ['-c', program], dir, { URL, KEY: KEYS.pro, PYTHONPATH: site }), SYMBOLS)
})

test('one version in all that is published', () => {
  assert.match(read('clients/python/pyproject.toml'), new RegExp(`^version = "${version}"$`, 'm'))
  assert.equal(JSON.parse(read('clients/typescript/package.json')).version, version)
})
