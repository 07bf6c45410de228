import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { writeSimulation } from '@ti/lab/cli/simulate.ts'
import { startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'

/**
 * The tarball that `npm pack` makes of the built program, unpacked and run beside the packages it names and no others. They are those
 * of the repository: to install them takes a network.
 */
const ROOT = resolve(import.meta.dirname, '../..')
const dir = mkdtempSync(join(tmpdir(), 'pack-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

const pack = (): Packed => {
  const args = ['pack', '--workspace', '@ti/service', '--json', '--ignore-scripts', '--pack-destination', dir]
  return JSON.parse(execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }).toString())[0]
}

execFileSync(process.execPath, ['scripts/build.mjs', 'operator'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
const { filename, files } = pack()
execFileSync('tar', ['-xzf', join(dir, filename), '-C', dir])
const PACKAGE = join(dir, 'package')
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
const natives: Readonly<Record<string, string>> = manifest.optionalDependencies
for (const name of Object.keys({ ...manifest.dependencies, ...natives })) {
  // those of other platforms
  if (!existsSync(join(ROOT, 'node_modules', name))) continue
  const at = join(PACKAGE, 'node_modules', name)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), at)
}
const CAPTURE = join(dir, 'one.capture')
await writeSimulation(CAPTURE, { trades: 300, seed: '1' })
const main = join(PACKAGE, manifest.bin['token-intelligence'])

test('the tarball has what the program needs and nothing else', () => {
  const paths = files.map(({ path }) => path)
  const known = [
    /^dist\/(main|chunks\/[\w-]+|(\w+\/)+[\w-]+-thread)\.js(\.map)?$/,
    /^dist\/(web\/.+(?<!\.map)|fonts\/\w+\.ttf|reference\/scalar-[\d.]+\.js|THIRD-PARTY\.txt|fingerprint\.txt)$/,
    /^(dist\/docs\/\w+\.md|package\.json|README\.md|LICENSE)$/,
  ]
  assert.deepEqual(
    paths.filter((path) => !known.some((one) => one.test(path))),
    [],
  )
  for (const needed of ['dist/main.js', 'dist/main.js.map', 'dist/web/index.html', 'dist/docs/start.md', 'LICENSE']) {
    assert.ok(paths.includes(needed), needed)
  }
})

test('a package with a native part names the part that is installed with the program, in the same version', () => {
  const client = join(ROOT, 'node_modules/@triton-one/yellowstone-grpc/package.json')
  assert.deepEqual(natives, JSON.parse(readFileSync(client, 'utf8')).optionalDependencies)
})

test('a package is installed with the program only where the built files ask for it', () => {
  const chunks = readdirSync(join(PACKAGE, 'dist/chunks')).filter((name) => name.endsWith('.js'))
  const text = chunks.map((name) => readFileSync(join(PACKAGE, 'dist/chunks', name), 'utf8')).join('')
  assert.deepEqual(
    Object.keys({ ...manifest.dependencies, ...natives }).filter((name) => !text.includes(`"${name}"`)),
    [],
  )
})

test('the tarball has the notice of every package whose code is in it', () => {
  const chunks = readdirSync(join(PACKAGE, 'dist/chunks')).filter((name) => name.endsWith('.map'))
  const sources = chunks.flatMap(
    (name): string[] => JSON.parse(readFileSync(join(PACKAGE, 'dist/chunks', name), 'utf8')).sources,
  )
  const names = new Set(sources.map((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]))
  names.delete(undefined)
  assert.ok(names.size > 30, `${names.size} packages`)
  const notices = readFileSync(join(PACKAGE, 'dist/THIRD-PARTY.txt'), 'utf8')
  assert.deepEqual(
    [...names].filter((name) => !notices.includes(`\n${name} `)),
    [],
  )
})

test('the program runs by its name', () => {
  const { bin, version } = manifest
  assert.deepEqual(Object.keys(bin), ['token-intelligence'])
  assert.match(readFileSync(main, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  const named = join(dir, 'token-intelligence')
  symlinkSync(main, named)
  const run = (...args: string[]) => execFileSync(process.execPath, [named, ...args], { cwd: dir }).toString()
  assert.equal(run('--version'), `${version}\n`)
  assert.match(run('help', 'replay'), /^usage: token-intelligence replay /)
  assert.equal(JSON.parse(run('replay', CAPTURE, '--json')).events > 300, true)
})

test('no laboratory, no chain of play money and no compiler is in it', () => {
  const maps = readdirSync(join(PACKAGE, 'dist/chunks')).filter((name) => name.endsWith('.map'))
  const sources = maps.flatMap(
    (name): string[] => JSON.parse(readFileSync(join(PACKAGE, 'dist/chunks', name), 'utf8')).sources,
  )
  assert.ok(sources.some((source) => source.includes('/src/faces/')))
  assert.deepEqual(
    sources.filter((source) => /\/(lab|sandbox)\/src\/|node_modules\/(litesvm|typescript|esbuild)\//.test(source)),
    [],
  )
  assert.throws(() => execFileSync(process.execPath, [main, 'evaluate'], { stdio: 'pipe' }), /there is no command/)
  const serve = (env: Readonly<Record<string, string>>) => () =>
    execFileSync(process.execPath, [main, 'serve'], {
      cwd: dir,
      stdio: 'pipe',
      env: { PATH: process.env.PATH, ...env },
    })
  assert.throws(serve({}), /SOURCE is not set. It takes capture:FILE, yellowstone:URL/)
  assert.throws(serve({ SOURCE: `capture:${CAPTURE}`, PAYMENTS: 'sandbox' }), /one of facilitator, self, off/)
})

test('the service runs, with its page, documents and pictures', { timeout: 120_000 }, async () => {
  const service = startService({ DATA_DIR: join(dir, 'data'), SOURCE: `capture:${CAPTURE}?speed=0` }, ['serve'], {
    main,
  })
  try {
    const url = await service.url
    const get = async (path: string) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${await service.key}` } })
      return { status: answer.status, text: await answer.text() }
    }
    await eventually('a token is listed', async () => /"mint"/.test((await get('/v1/tokens/new')).text))
    const [, mint] = /"mint":"(\w+)"/.exec((await get('/v1/tokens/new')).text)!
    for (const path of ['/', '/docs', '/docs/scalar.js', '/docs/start.md', `/share/token/${mint}.png`]) {
      assert.equal((await get(path)).status, 200, path)
    }
    service.child.kill('SIGTERM')
    const { code, stderr } = await service.exit
    assert.equal(code, 0, stderr)
  } finally {
    service.child.kill('SIGKILL')
  }
})
