import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beginAccounts } from '@ti/service/access/sql/accounts-file.ts'
import { makeCopy } from '@ti/service/access/sql/copies.ts'
import { openDatabase } from '@ti/service/access/sql/database.ts'
import { EXIT } from '@ti/service/base/errors.ts'
import { seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { scriptArgs } from '../support/script.ts'
import { Acknowledged, checkAcknowledged } from './accounts-acknowledged.ts'
import { type Injury, injure } from './accounts-damages.ts'

/**
 * The accounts' embedded database is killed at random moments, and damaged in random places. What was acknowledged is there
 * after every kill; what is damaged is refused, or answers like an undamaged twin.
 */
const SEED = seed()
const KILLS = Number(process.env.ACCOUNTS_KILLS ?? 10)
const DAMAGES = Number(process.env.ACCOUNTS_DAMAGES ?? 20)
const REPORT = process.env.ACCOUNTS_REPORT
/** milliseconds an opening may take on a busy machine before it counts as hanging */
const HANGS_MS = 60_000

const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'accounts-damage-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const start = (name: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [...scriptArgs(script(name)), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}

function newDataDir(name: string): string {
  const dataDir = join(dir, name)
  mkdirSync(join(dataDir, 'log'), { recursive: true })
  beginAccounts(dataDir, true)
  return dataDir
}

test(`killed at ${KILLS} random moments, nothing acknowledged is lost and the books balance`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const dataDir = newDataDir('kills')
  const heard = new Acknowledged()
  let opening = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start('accounts-worker.ts', dataDir, String(SEED + kill), '0', 'copies')
    const end = ended(child)
    // one in four while it opens, recovers and seals
    const early = random() < 0.25
    if (!early) await Promise.race([new Promise((done) => child.stdout!.once('data', done)), end])
    await pause(random() * (early ? 2_000 : 1_000))
    child.kill('SIGKILL')
    const { code, out, err } = await end
    assert.equal(code, null, `the process ended by itself: ${err}`)
    if (out === '') opening++
    heard.hear(out)
    // a second kill may come before anybody looks
    if (kill % 2 === 1 || kill === KILLS - 1) await checkAcknowledged(dataDir, heard)
  }
  const counts = { kills: KILLS, opening, payments: heard.payments.size, keys: heard.keys.size }
  t.diagnostic(JSON.stringify(counts))
  assert.ok(heard.payments.size > 0)
  note('kills', counts)
})

const note = (name: string, value: unknown): void => {
  if (REPORT !== undefined) writeFileSync(`${REPORT}-${name}.json`, JSON.stringify({ seed: SEED, value }, null, 1))
}

/** A database closed in order, and one whose process was killed in the middle of its work. */
async function makeTwins(): Promise<{
  readonly clean: string
  readonly killed: string
  readonly older: string
  readonly other: string
}> {
  const clean = newDataDir('clean')
  const run = async (dataDir: string, seed: number, rounds: number): Promise<void> => {
    const { code, err } = await ended(start('accounts-worker.ts', dataDir, String(seed), String(rounds)))
    assert.equal(code, 0, err)
  }
  await run(clean, SEED, 60)
  const older = join(dir, 'older')
  cpSync(clean, older, { recursive: true })
  const database = await openDatabase({ dataDir: clean, url: null })
  await makeCopy(database.file!, Date.now())
  await database.close()
  await run(clean, SEED + 1, 200)
  const other = newDataDir('other')
  await run(other, SEED + 2, 150)
  const killed = join(dir, 'killed')
  cpSync(clean, killed, { recursive: true })
  const child = start('accounts-worker.ts', killed, String(SEED + 3), '150', '', 'stay')
  const end = ended(child)
  await new Promise<void>((done) => {
    child.stdout!.on('data', (chunk) => String(chunk).includes('done\n') && done())
  })
  child.kill('SIGKILL')
  await end
  return { clean, killed, older, other }
}

interface Read {
  readonly outcome: 'found' | 'answered' | 'refused' | 'hang' | 'crash'
  readonly answers: string
  readonly said: string
  readonly openMs: number
}

/** Reads in a process of its own, which lives on to the next unless it hangs or dies. */
function createReader() {
  let child: ChildProcess | null = null
  let said = ''
  const spawnOne = (): ChildProcess => {
    const made = spawn(process.execPath, scriptArgs(script('accounts-reader.ts')), {
      stdio: 'pipe',
    })
    said = ''
    made.stderr.on('data', (chunk) => {
      said += chunk
    })
    return made
  }
  const none = { answers: '', openMs: 0 }
  return {
    async read(dataDir: string): Promise<Read> {
      child ??= spawnOne()
      const here = child
      let text = ''
      const line = new Promise<string | null>((done) => {
        here.stdout!.on('data', (chunk) => {
          text += chunk
          if (text.endsWith('\n')) done(text)
        })
        here.once('close', () => done(null))
        setTimeout(() => done('hang'), HANGS_MS).unref()
      })
      here.stdin!.write(`${dataDir}\n`)
      const heard = await line
      here.stdout!.removeAllListeners('data')
      here.removeAllListeners('close')
      if (heard === null || heard === 'hang') {
        here.kill('SIGKILL')
        child = null
        return { outcome: heard === null ? 'crash' : 'hang', ...none, said }
      }
      const { answers, openMs, code, said: words } = JSON.parse(heard)
      if (answers !== undefined) return { outcome: 'answered', answers, openMs, said: '' }
      const isFound = code === EXIT.badFile && /accounts restore --copy accounts-.*\.sqlite/.test(words)
      return { outcome: isFound ? 'found' : 'refused', ...none, said: words }
    },
    close: () => child?.kill(),
  }
}

test(`damaged in ${DAMAGES} random places, it is refused or answers as its undamaged twin`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const { clean, killed, older, other } = await makeTwins()
  const { read, close } = createReader()
  t.after(close)
  const truth = new Map<string, string>()
  for (const twin of [clean, killed]) {
    const dataDir = join(dir, 'twin')
    cpSync(twin, dataDir, { recursive: true })
    const { outcome, answers, said } = await read(dataDir)
    assert.equal(outcome, 'answered', said)
    truth.set(twin, answers)
    rmSync(dataDir, { recursive: true })
  }
  const counts: Record<string, number> = {}
  const wrong: { injury: Injury; twin: string; read: Read }[] = []
  for (let n = 0; n < DAMAGES; n++) {
    const twin = n % 2 === 0 ? clean : killed
    const dataDir = join(dir, `damaged-${n}`)
    cpSync(twin, dataDir, { recursive: true })
    const injury = injure(dataDir, random, { older, other })
    const got = await read(dataDir)
    const outcome = got.outcome !== 'answered' ? got.outcome : got.answers === truth.get(twin) ? 'harmless' : 'wrong'
    const kind = `${twin === clean ? 'closed' : 'killed'}, ${injury.path.split(':')[0]}, ${injury.kind}: ${outcome}`
    counts[kind] = (counts[kind] ?? 0) + 1
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (outcome !== 'found' && outcome !== 'harmless') wrong.push({ injury, twin: kind, read: got })
    rmSync(dataDir, { recursive: true })
    if (n % 20 === 19) note('damages', { counts, wrong })
  }
  t.diagnostic(JSON.stringify(counts, null, 1))
  note('damages', { counts, wrong })
  assert.deepEqual(wrong, [])
  assert.ok((counts.found ?? 0) > 0, 'no damage was found')
})
