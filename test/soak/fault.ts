import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'

/**
 * The fault of lmdb 3.5.6 that ended the service in the middle of a commit ("Invalid zero size key", MDB_BAD_VALSIZE, or a
 * segmentation fault), put on purpose into a data directory of format 3. The state stays readable; no commit succeeds any more.
 *
 *   node --import tsx test/soak/fault.ts DIR     DIR holds a data.mdb; takes some ten seconds
 *
 * What happens: a commit c may use the pages freed by commits up to c − 2. It loads their records from the list of free pages
 * (a tree by commit), newest first, and at its end writes back what is left under the same key (mdb_freelist_save). A record
 * that does not fit in place is deleted and added anew, and pages for it are allocated in between (mdb_cursor_put →
 * mdb_node_del, mdb_node_add → mdb_page_alloc). Where none at hand will do, mdb_page_alloc loads older records by walking that
 * same tree backwards (MDB_PREV), which is this package's own addition to LMDB. If the deleted record was alone on its leaf the
 * walk meets a leaf of no entries, takes entry 0 − 1 of it, and reads behind the page.
 *
 * So it takes three things: a list of more than one leaf, the record of c − 2 alone on its leaf, and no pages at hand when it is
 * written back. A record is left alone when leaves split, which they do when commits free some 150 to 250 pages each (a record is
 * half a leaf then). There are none at hand when all were used up, or when the record takes several pages in a row and what is
 * free is scattered: a commit that frees a thousand scattered pages, like the death of a big token, leaves such a record.
 */
const PAD = 'pad'
const OPTIONS = { noSubdir: false, overlappingSync: false, noSync: true, encoding: 'binary', maxDbs: 20 } as const
/** A value of its own page. */
const VALUE = Buffer.alloc(3_000)
const VALUES = 6_900
/** Scattered pages that one commit frees: a record of seven pages, more in a row than are free anywhere. */
const SCATTERED = 3_150
const SCATTERED_FROM = 501
/** Values of two to four pages, freed with them: a commit that writes such values shall need no older records yet. */
const WIDE = { count: 90, from: 100_000, pages: [2, 3, 4] }
/** Values whose overwriting frees as many pages as a record has room for on half a leaf: which, depends on the paths. */
const HALF_LEAF = { from: 236, to: 250, before: 239, after: 243 }

interface Pad {
  readonly root: RootDatabase
  /** in one commit: every other one of the narrow values, and wide ones */
  write(narrow: { readonly count: number; readonly from: number; readonly step: number }, wide: number): void
}

function openPad(dir: string): Pad {
  // not in the package's types; the default fails alike
  const options = { ...OPTIONS, path: dir, ...{ maxFreeSpaceToRetain: 0 } }
  const root = open(options)
  const db = root.openDB<Buffer, number>(PAD, { encoding: 'binary', keyEncoding: 'uint32' })
  return {
    root,
    write: ({ count, from, step }, wide) =>
      root.transactionSync(() => {
        for (let i = 0; i < count; i++) db.putSync(from + step * i, VALUE)
        for (let i = 0; i < wide; i++) {
          db.putSync(WIDE.from + 2 * i, Buffer.alloc(4_096 * WIDE.pages[i % WIDE.pages.length]! - 1_000))
          // between two wide ones, so that they are not free in a row
          if (step === 1) db.putSync(WIDE.from + 2 * i + 1, VALUE)
        }
      }),
  }
}

async function pad(dir: string, before: number, after: number): Promise<void> {
  const { root, write } = openPad(dir)
  write({ count: VALUES, from: 0, step: 1 }, WIDE.count)
  write({ count: 1, from: 0, step: 2 }, 0)
  write({ count: 1, from: 0, step: 2 }, 0)
  // half a leaf; then the scattered pages, which use up all before; then half a leaf, which uses up the first half and splits
  write({ count: before, from: 0, step: 2 }, 0)
  write({ count: SCATTERED, from: SCATTERED_FROM, step: 2 }, WIDE.count)
  write({ count: after, from: 0, step: 2 }, 0)
  await root.close()
}

/** The likeliest first. */
function* halves(): Iterable<readonly [before: number, after: number]> {
  const { from, to, before, after } = HALF_LEAF
  yield [before, after]
  for (let one = from; one <= to; one++) for (let other = from; other <= to; other++) yield [one, other]
}

/** Whether a commit to a copy of `dir` ends the process or throws. */
function failsToCommit(dir: string, aside: string): boolean {
  copyData(dir, aside)
  const child = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, '--commit', aside])
  return child.status !== 0
}

function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  copyFileSync(join(from, 'data.mdb'), join(to, 'data.mdb'))
}

/** Puts the fault into the store in `dir`, which nobody has open. Returns the two counts that did it. */
export async function putFault(dir: string): Promise<readonly [number, number]> {
  const [whole, tried, aside] = [join(dir, 'fault-whole'), join(dir, 'fault-tried'), join(dir, 'fault-aside')]
  mkdirSync(whole)
  try {
    // without free pages to begin with
    const root = open({ ...OPTIONS, path: dir })
    await root.backup(whole, true)
    await root.close()
    for (const [before, after] of halves()) {
      copyData(whole, tried)
      await pad(tried, before, after)
      if (!failsToCommit(tried, aside)) continue
      rmSync(join(dir, 'lock.mdb'), { force: true })
      copyFileSync(join(tried, 'data.mdb'), join(dir, 'data.mdb'))
      return [before, after]
    }
    throw new Error('no counts put the fault into it')
  } finally {
    for (const made of [whole, tried, aside]) rmSync(made, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const [first, second] = process.argv.slice(2)
  if (first === '--commit') {
    openPad(second!).write({ count: 1, from: 0, step: 2 }, 3)
    process.exit(0)
  }
  const [before, after] = await putFault(first!)
  process.stdout.write(`${first}: no commit succeeds any more (${before}, ${after})\n`)
}
