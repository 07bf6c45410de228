import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Node, openNode } from '../../src/service/node.ts'
import { feedMarket } from './feed.ts'
import { createMarket, PATTERNS, type Pattern } from './market.ts'

/**
 * Converts a directory of the last release, whose entries are those of a market, and compares it with a plain fold of that market:
 *
 *   node --import tsx test/soak/last-release.ts DIR SEED PATTERN     prints figures as JSON; changes DIR
 */
const [dir, seed, pattern] = process.argv.slice(2)
if (dir === undefined || !PATTERNS.includes(pattern as Pattern)) throw new Error('DIR SEED PATTERN')
const file = join(dir, 'data.mdb')
const secondsSince = (started: number): number => Math.round((performance.now() - started) / 100) / 10

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

/** Hash at the newest entry. */
async function hashOf(node: Node): Promise<{ newest: number; hash: string }> {
  const answer = { newest: node.store.log.newest(), hash: node.store.stateHash() }
  await node.close()
  return answer
}

async function main(): Promise<void> {
  const before = await digest(file)
  const started = performance.now()
  const began = new Map<string, number>()
  let told = 0
  const node = await openNode(dir!, {
    onPreparation({ what }) {
      told++
      if (!began.has(what)) began.set(what, secondsSince(started))
    },
  })
  const seconds = secondsSince(started)
  const converted = await hashOf(node)
  process.stderr.write(`${JSON.stringify({ seconds, ...converted })}\n`)
  const restarted = performance.now()
  await (await openNode(dir!)).close()
  const secondStart = secondsSince(restarted)
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'last-release-'))
  mkdirSync(join(base, 'twin'))
  const twin = await openNode(join(base, 'twin'))
  const market = createMarket(Number(seed), pattern as Pattern)
  await feedMarket(twin, market, { end: converted.newest + 1, commitEvents: 60_000 })
  const plain = await hashOf(twin)
  rmSync(base, { recursive: true })
  const unchanged = before === (await digest(file))
  const figures = {
    equal: plain.hash === converted.hash && plain.newest === converted.newest,
    unchanged,
    entries: converted.newest + 1,
    seconds,
    began: Object.fromEntries(began),
    told,
    secondStart,
    hash: converted.hash,
  }
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`)
  process.exit(figures.equal && unchanged ? 0 : 1)
}

await main()
