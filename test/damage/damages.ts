import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { BYTE_DAMAGES, type Random } from './bytes.ts'

export interface Scene {
  /** the data directory that is damaged, and where the templates are */
  readonly dir: string
  readonly templates: string
  readonly random: Random
}

export interface Damage {
  readonly kind: string
  /** what the directory is a copy of */
  readonly template: 'whole' | 'closed'
  /** while nobody has it open, while a node has, or in that the disk takes no more changes from some moment on */
  readonly when: 'at rest' | 'running' | 'full disk'
  /** only a process without the rights of root notices */
  readonly needsUser?: boolean
  /** does it and says what was done */
  readonly apply: (scene: Scene) => string
}

const DB = 'state/state.db'
const WAL = 'state/state.db-wal'

const segmentsOf = (dir: string): string[] => readdirSync(join(dir, 'log')).sort()
const oneOf = <T>(items: readonly T[], random: Random): T => items[random(items.length)]!

function replace(scene: Scene, template: string, paths: readonly string[]): string {
  for (const path of paths) {
    const [from, to] = [join(scene.templates, template, path), join(scene.dir, path)]
    rmSync(to, { recursive: true, force: true })
    if (existsSync(from)) cpSync(from, to, { recursive: true })
  }
  return `${paths.join(' and ')} of ${template}`
}

/** Over the file itself, as a process that has it open sees it. */
function overwrite(scene: Scene, template: string, path: string): string {
  const from = join(scene.templates, template, path)
  cpSync(from, join(scene.dir, path), { force: true })
  return `${path} overwritten with that of ${template}`
}

function ofBytes(): Damage[] {
  const made: Damage[] = []
  for (const [name, damage] of Object.entries(BYTE_DAMAGES)) {
    const on = (
      file: string,
      template: Damage['template'],
      when: Damage['when'],
      path: (scene: Scene) => string,
    ): void => {
      const kind = `${file}${when === 'running' ? ' in use' : ''}: ${name}`
      const apply = (scene: Scene): string => `${path(scene)}: ${damage(join(scene.dir, path(scene)), scene.random)}`
      made.push({ kind, template, when, apply: (scene) => apply({ ...scene, random: scene.random }) })
    }
    on('state.db', 'closed', 'at rest', () => DB)
    on('state.db beside its log', 'whole', 'at rest', () => DB)
    on('state.db-wal', 'whole', 'at rest', () => WAL)
    on('state.db', 'closed', 'running', () => DB)
    on('state.db-wal', 'whole', 'running', () => WAL)
    for (const when of ['at rest', 'running'] as const) {
      const kind = `log${when === 'running' ? ' in use' : ''}: ${name}`
      const apply = (scene: Scene): string => {
        const path = join('log', oneOf(segmentsOf(scene.dir), scene.random))
        return `${path}: ${damage(join(scene.dir, path), scene.random)}`
      }
      made.push({ kind, template: 'whole', when, apply })
    }
  }
  return made
}

const atRest = (kind: string, apply: Damage['apply'], template: Damage['template'] = 'whole'): Damage => ({
  kind,
  template,
  when: 'at rest',
  apply,
})

const remove = ({ dir }: Scene, path: string): string => {
  rmSync(join(dir, path), { recursive: true, force: true })
  return `${path} removed`
}
const empty = ({ dir }: Scene, path: string): string => {
  truncateSync(join(dir, path), 0)
  return `${path} emptied`
}

const OF_STATE: Damage[] = [
  atRest('older state.db', (scene) => replace(scene, oneOf(['older', 'olderClosed'], scene.random), [DB])),
  atRest('older state.db-wal', (scene) => replace(scene, 'older', [WAL])),
  atRest(
    'older state.db-wal beside a closed state.db',
    (scene) => replace(scene, oneOf(['older', 'whole'], scene.random), [WAL]),
    'closed',
  ),
  atRest('older state/', (scene) => replace(scene, oneOf(['older', 'olderClosed'], scene.random), ['state'])),
  atRest('newer state.db', (scene) => replace(scene, 'closed', [DB])),
  atRest('state.db of another log', (scene) => replace(scene, 'other', [DB])),
  atRest('state.db-wal of another log', (scene) => replace(scene, 'other', [WAL])),
  atRest('state/ of another log', (scene) => replace(scene, 'other', ['state'])),
  atRest('state.db of another fold', (scene) => replace(scene, 'refolded', [DB])),
  atRest(
    'state.db-wal beside another fold',
    (scene) => replace(scene, 'whole', [WAL]) + replace(scene, 'refolded', [DB]),
    'closed',
  ),
  atRest('state/ of another fold', (scene) => replace(scene, 'refolded', ['state'])),
  atRest('no state.db', (scene) => remove(scene, DB)),
  atRest('no state.db-wal', (scene) => remove(scene, WAL)),
  atRest('no state/', (scene) => remove(scene, 'state')),
  atRest('empty state.db', (scene) => empty(scene, DB), 'closed'),
  atRest('empty state.db beside its log', (scene) => empty(scene, DB)),
  atRest('empty state.db-wal', (scene) => empty(scene, WAL)),
  atRest('garbage as state.db-shm', ({ dir, random }) => {
    const bytes = Buffer.from(
      Array.from({ length: oneOf([1, 100, 32_768, 40_000, 65_536], random) }, () => random(256)),
    )
    writeFileSync(join(dir, 'state/state.db-shm'), bytes)
    return `${bytes.length} bytes`
  }),
  atRest('older state.db-shm', (scene) =>
    replace(scene, oneOf(['older', 'other'], scene.random), ['state/state.db-shm']),
  ),
  atRest('half of a state aside', ({ dir, random }) => {
    cpSync(join(dir, 'state'), join(dir, 'state-new'), { recursive: true })
    truncateSync(join(dir, 'state-new/state.db'), random(10_000))
    return 'state-new is there'
  }),
]

const OF_LOG: Damage[] = [
  atRest('no segment', (scene) => remove(scene, join('log', oneOf(segmentsOf(scene.dir), scene.random)))),
  atRest('empty segment', (scene) => empty(scene, join('log', oneOf(segmentsOf(scene.dir), scene.random)))),
  atRest('segments swapped', ({ dir, random }) => {
    const names = segmentsOf(dir)
    const first = random(names.length - 1)
    const [a, b] = [names[first]!, names[first + 1 + random(names.length - first - 1)]!].map((name) =>
      join(dir, 'log', name),
    )
    renameSync(a!, `${a}.x`)
    renameSync(b!, a!)
    renameSync(`${a}.x`, b!)
    return `${a} and ${b}`
  }),
  atRest('segment of another log', (scene) => {
    const name = oneOf(segmentsOf(scene.dir), scene.random)
    const other = join(scene.templates, 'other/log', oneOf(segmentsOf(join(scene.templates, 'other')), scene.random))
    cpSync(other, join(scene.dir, 'log', name))
    return `${name} is ${other}`
  }),
  atRest('older log', (scene) => replace(scene, oneOf(['older', 'olderClosed'], scene.random), ['log'])),
  atRest('older segment', (scene) => {
    const names = segmentsOf(join(scene.templates, 'older'))
    return replace(scene, 'older', [join('log', names.at(-1)!)])
  }),
  atRest('another log', (scene) => replace(scene, 'other', ['log'])),
  atRest('no log/', (scene) => remove(scene, 'log')),
  atRest('empty log/', ({ dir }) => {
    for (const name of segmentsOf(dir)) rmSync(join(dir, 'log', name))
    return 'every segment removed'
  }),
]

const inUse = (kind: string, apply: Damage['apply']): Damage => ({ kind, template: 'whole', when: 'running', apply })
const IN_USE: Damage[] = [
  inUse('state.db in use: of another store', (scene) =>
    overwrite(scene, oneOf(['other', 'refolded'], scene.random), DB),
  ),
  inUse('state.db in use: removed', (scene) => remove(scene, DB)),
  inUse('state.db-wal in use: removed', (scene) => remove(scene, WAL)),
  inUse('state/ in use: removed', (scene) => remove(scene, 'state')),
  inUse('log in use: segment removed', (scene) =>
    remove(scene, join('log', oneOf(segmentsOf(scene.dir), scene.random))),
  ),
]

const withoutRights = (kind: string, apply: Damage['apply']): Damage => ({ ...atRest(kind, apply), needsUser: true })
function forbid(dir: string, path: string): string {
  const isDirectory = statSync(join(dir, path)).isDirectory()
  chmodSync(join(dir, path), isDirectory ? 0o555 : 0o444)
  return `${path === '' ? 'the directory' : path} may only be read`
}
const RIGHTS: Damage[] = [
  withoutRights('a directory that may only be read', ({ dir, random }) =>
    forbid(dir, oneOf(['', 'state', 'log'], random)),
  ),
  withoutRights('a file that may only be read', ({ dir, random }) => {
    const newest = join('log', segmentsOf(dir).at(-1)!)
    return forbid(dir, oneOf([DB, WAL, newest], random))
  }),
  withoutRights('a file that may not be read', ({ dir, random }) => {
    const path = oneOf([DB, WAL, ...segmentsOf(dir).map((name) => join('log', name))], random)
    chmodSync(join(dir, path), 0)
    return `${path} may not be read`
  }),
]

const fullDisk = (kind: string): Damage => ({ kind, template: 'whole', when: 'full disk', apply: () => '' })

/** In an order in which neighbours differ. */
export const DAMAGES: readonly Damage[] = [
  ...ofBytes(),
  ...OF_STATE,
  ...OF_LOG,
  ...IN_USE,
  ...RIGHTS,
  fullDisk('the disk is full'),
  fullDisk('the disk fails'),
]
