import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Alert, NewWatch } from '@ti/core/contract/account.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { STREAM_EVENTS } from '@ti/core/contract/streams.ts'
import { readCommandLine } from '@ti/service/cli/command-line.ts'
import { KEYS, startFake } from '../../support/fake-service.ts'
import { type Block, blocksOf, PAGES, ROOT } from '../../support/guides.ts'

/** Every fenced block of every page: what is checked here, and what the page's own test runs or compares. */
const blocks = PAGES.flatMap(blocksOf)
const inLanguage = (wanted: string): Block[] => blocks.filter(({ language }) => language === wanted)

/** Every block in these is checked: `ts` and `python` by programs.slow.test.ts, the others here. */
const EVERYWHERE = ['ts', 'python', 'sh', 'json', '']
/** Language → page → its blocks, each of which the page's own test runs or compares. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  text: {
    'README.md': 1,
    'docs/captures.md': 1,
    'docs/examples.md': 10,
    'docs/export.md': 1,
    'docs/start.md': 6,
    'docs/streams.md': 4,
  },
  market: { 'docs/examples.md': 10 },
  events: { 'docs/streams.md': 1 },
  filter: { 'docs/alerts.md': 1 },
  sql: { 'docs/export.md': 1 },
}

test('no block is in a language, or at a place, where nothing checks it', () => {
  const found: Record<string, Record<string, number>> = {}
  for (const { language, page } of blocks.filter((block) => !EVERYWHERE.includes(block.language))) {
    found[language] ??= {}
    found[language][page] = (found[language][page] ?? 0) + 1
  }
  assert.deepEqual(found, ELSEWHERE)
})

test('every fence is closed, and what has no language is a drawing', () => {
  for (const page of PAGES) {
    const fences = readFileSync(join(ROOT, page), 'utf8').match(/^ *(?:```|~~~).*$/gm) ?? []
    assert.equal(fences.length, 2 * blocksOf(page).length, page)
  }
  for (const { code, at } of inLanguage('')) assert.match(code, /[─│┌▶▼]/, at)
})

test('JSON is a message, a watch, an alert, settings of a client or an answer', () => {
  for (const { code, at, page } of inLanguage('json')) {
    const whole = /^\{\n/.test(code)
    for (const text of whole ? [code] : code.trim().split('\n')) {
      const value = JSON.parse(text)
      if (Array.isArray(value)) {
        assert.equal(value.length, 5, at)
        assert.ok(['phoenix', ...Object.keys(STREAM_EVENTS)].includes(value[2]), at)
      } else if ('kind' in value) NewWatch.parse(value)
      else if ('watch' in value) assert.deepEqual(Alert.parse(value), value, at)
      else if ('mcpServers' in value) assert.match(value.mcpServers['token-intelligence'].url, /\/mcp$/, at)
      // start-guide.slow.test.ts compares them with what the service answers
      else assert.equal(page, 'docs/start.md', `${at}: nobody knows what this is`)
    }
  }
})

/**
 * Every shell block of every page, run by a shell in a copy of what it names. The programs that it calls are replaced by one that
 * writes down how it was called; each call is judged. What cannot be found in the shell's folders fails.
 */
const SHIM = `#!/bin/sh
{ printf '%s\\000' "\${0##*/}" "$PWD" "$@"; printf '\\001'; } >> "$CALLS"
`
const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const dir = mkdtempSync(join(tmpdir(), 'commands-'))
test.after(() => rmSync(dir, { recursive: true, force: true }))

interface Call {
  readonly program: string
  readonly cwd: string
  readonly args: readonly string[]
}

/** What the block's programs are called with, in their order. */
async function callsOf({ code, at }: Block): Promise<Call[]> {
  const [home, bin] = [mkdtempSync(join(dir, 'home-')), join(dir, 'bin')]
  cpSync(join(ROOT, 'deploy'), join(home, 'deploy'), { recursive: true })
  mkdirSync(bin, { recursive: true })
  for (const name of Object.keys(JUDGES)) {
    writeFileSync(join(bin, name), SHIM)
    chmodSync(join(bin, name), 0o755)
  }
  const [file, calls] = [join(home, 'block.sh'), join(home, 'calls')]
  writeFileSync(file, code)
  writeFileSync(calls, '')
  const env = { PATH: `${bin}:/usr/bin:/bin`, CALLS: calls, KEY: KEYS.pro, MINT: mint, OTHER: EXAMPLE_ADDRESSES.mint }
  await promisify(execFile)('sh', ['-eu', file], { cwd: home, env, timeout: 20_000 }).catch((error) => {
    assert.fail(`${at}: ${error.stderr || error}`)
  })
  const written = readFileSync(calls, 'utf8').split('\u0001').slice(0, -1)
  return written.map((text) => {
    const [program, cwd, ...args] = text.split('\0').slice(0, -1)
    return { program: program!, cwd: cwd!, args }
  })
}

const { mint } = EXAMPLE_ADDRESSES

const JUDGES: Readonly<Record<string, (call: Call, t: TestContext) => unknown>> = {
  npm({ args }) {
    const [what, ...rest] = args.filter((arg) => arg !== '--silent')
    if (what === 'ci') return
    if (what === 'install') return installed(rest)
    const script = what === 'run' ? rest[0] : what
    assert.ok(script! in readJson('package.json').scripts, `there is no npm run ${script}`)
    // it throws at a command, an option or an operand that is not there
    if (script === 'cli') assert.equal(readCommandLine(rest.slice(rest.indexOf('--') + 1)).kind, 'command')
  },
  async curl({ args }, t) {
    const values = (flag: string): string[] => args.filter((_, i) => args[i - 1] === flag)
    const url = new URL(args.find((arg) => /^https?:/.test(arg))!)
    const isOfOperators = ['/healthz', '/readyz', '/mcp'].includes(url.pathname)
    if (isOfOperators) return
    const paths = Object.keys(readJson('openapi.json').paths)
    const isPath = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname)
    assert.ok(paths.some(isPath), `there is no ${url.pathname}`)
    // streams-guide.slow.test.ts runs it
    if (url.pathname === '/v1/stream') return
    const service = await startFake()
    t.after(service.close)
    const headers = Object.fromEntries(values('-H').map((line) => line.split(': ', 2) as [string, string]))
    const [body] = values('-d')
    const how = body === undefined ? { headers } : { method: 'POST', headers, body }
    const answer = await fetch(service.baseUrl + url.pathname + url.search, how)
    assert.equal(answer.status, 200, await answer.text())
  },
  docker({ args, cwd }) {
    const [what, ...rest] = args
    assert.ok(['build', 'push', 'run', 'exec', 'compose'].includes(what!), what)
    if (what === 'build') assert.ok(existsSync(resolve(cwd, rest[rest.indexOf('-f') + 1]!)), 'no such Dockerfile')
    if (what !== 'compose') return
    const compose = readFileSync(join(cwd, 'compose.yaml'), 'utf8')
    if (rest[0] === 'exec') assert.match(compose, new RegExp(`^  ${rest[1]}:`, 'm'))
  },
  pip({ args }) {
    const { 1: name } = /^name = "(.*)"$/m.exec(readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8'))!
    assert.deepEqual(args, ['install', name])
  },
  openssl: ({ args }) => assert.deepEqual(args, ['rand', '-hex', '24']),
  solana: ({ args }) => assert.deepEqual([args[0], args[1], args.length], ['program', 'dump', 6]),
  bq: ({ args }) => assert.equal(args[0], 'load'),
  // export.judge.ts reads the file, and runs what is asked then
  duckdb: ({ args }) => assert.ok(args[0] === '-init' && existsSync(join(ROOT, args[1]!))),
  jq: ({ args }) => assert.equal(args.at(-1), 'OUT/manifest.json'),
}

/** A package that a reader installs is the client, or the one that the tests have. */
function installed(args: readonly string[]): void {
  const known = readJson('test/judges/package.json').dependencies
  for (const name of args.filter((arg, i) => !arg.startsWith('-') && args[i - 1] !== '--prefix')) {
    const [, bare, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(name)!
    if (version !== undefined) assert.equal(version, known[bare!], name)
    else assert.equal(bare, readJson('clients/typescript/package.json').name)
  }
}

for (const block of inLanguage('sh'))
  test(block.at, async (t) => {
    for (const call of await callsOf(block)) {
      try {
        await JUDGES[call.program]!(call, t)
      } catch (error) {
        throw new Error(`${block.at}: ${call.program} ${call.args.join(' ')}: ${error}`)
      }
    }
  })
