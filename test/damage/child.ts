import { chmodSync, chownSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '@ti/service/base/errors.ts'
import { openNode } from '@ti/service/service/node.ts'
import { generator } from '../power/cut.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket } from '../soak/market.ts'
import { useSmallBounds } from './bounds.ts'
import { DAMAGES } from './damages.ts'
import { probe } from './probe.ts'
import { ENTRIES, MARKET, readExpectations } from './templates.ts'

/**
 * One of the processes in which damaged directories are opened, because some may end it.
 *   child.ts TEMPLATES           answers each message { kind, seed, dir } with a verdict
 *   child.ts --feed DIR          feeds DIR until it is told that the disk takes no more, and says how far it came
 */
export interface Task {
  readonly kind: number
  readonly seed: number
  readonly dir: string
  /** the directory is there and damaged already: by a disk that failed */
  readonly prepared?: boolean
  /** the user it is done as: its files are made theirs */
  readonly user?: number
}

useSmallBounds()
const [first, second] = process.argv.slice(2)
if (first === '--feed') await feedUntilItFails(second!)
else serveTasks(first!)

function serveTasks(templates: string): void {
  const expected = readExpectations(templates)
  process.on('message', async ({ kind, seed, dir, prepared = false, user }: Task) => {
    const damage = DAMAGES[kind]!
    const random = generator(seed)
    const template = join(templates, damage.template)
    const scene = { dir, templates, random }
    let done = ''
    if (!prepared) {
      cpSync(template, dir, { recursive: true })
      if (user !== undefined) {
        giveTo(dir, user)
        // a node's files are its own user's: what is put back has to be readable for this one
        letRead(template)
      }
      // the rights of a directory are for its user to take away
      if (user !== undefined && process.getuid!() === 0) process.seteuid!(user)
      if (damage.when === 'at rest') done = damage.apply(scene)
    }
    const meddle =
      damage.when !== 'running'
        ? undefined
        : (): void => {
            done = damage.apply(scene)
          }
    const verdict = await probe({ dir, template, expected, random, meddle })
    if (user !== undefined) process.seteuid!(0)
    rmSync(dir, { recursive: true, force: true })
    process.send!({ ...verdict, done })
  })
}

function letRead(dir: string): void {
  chmodSync(dir, 0o755)
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

function giveTo(dir: string, user: number): void {
  chownSync(dir, user, user)
  for (const name of readdirSync(dir, { recursive: true })) chownSync(join(dir, String(name)), user, user)
}

async function feedUntilItFails(dir: string): Promise<void> {
  let newest = ENTRIES.whole - 1
  try {
    const node = await openNode(dir)
    const market = createMarket(MARKET.seed, MARKET.pattern)
    try {
      await feedMarket(node, market, {
        end: ENTRIES.grown - 5,
        onCommit() {
          newest = node.engine.globals.seq
        },
      })
    } finally {
      await node.close()
    }
    process.send!({ newest, how: 'whole' })
  } catch (error) {
    const how = error instanceof OperatorError ? 'refused' : 'crash'
    process.send!({ newest, how, what: how === 'refused' ? (error as Error).message : (error as Error).stack })
  }
  process.disconnect()
}
