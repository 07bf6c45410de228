import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../base/errors.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { createFileSink, PARTIAL, readCheckpointFile, readCheckpointHeader } from '../store/checkpoint-file.ts'
import { type CheckpointStore, idOf, type Kept, newestFirst } from './checkpoint-store.ts'

const WHOLE = /^\d+-[0-9a-f]{8}\.checkpoint$/
const isPartial = (name: string): boolean => name.endsWith(PARTIAL) && WHOLE.test(name.slice(0, -PARTIAL.length))

/** A directory, local or shared by all nodes, with one file per checkpoint, as written by `checkpoint make`. */
export function openDirectoryCheckpoints(dir: string): CheckpointStore {
  makeDirectory(dir)
  return {
    name: dir,
    async list() {
      const kept: Kept[] = []
      for (const id of readdirSync(dir).filter((name) => WHOLE.test(name))) {
        const header = await readCheckpointHeader(join(dir, id)).catch(() => null)
        if (header !== null) kept.push({ id, header })
      }
      return newestFirst(kept)
    },
    add: (header) => createFileSink(join(dir, `${idOf(header)}.checkpoint`), header),
    read: (id, read) => {
      if (!WHOLE.test(id)) throw new OperatorError(`${join(dir, id)} is not the name of a checkpoint`)
      return readCheckpointFile(join(dir, id), read)
    },
    async remove(id) {
      rmSync(join(dir, id), { force: true })
    },
    async sweep(beforeMs) {
      for (const name of readdirSync(dir).filter(isPartial)) {
        const path = join(dir, name)
        if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beforeMs) < beforeMs) rmSync(path, { force: true })
      }
    },
    close: async () => {},
  }
}
