import { openDirectoryShelf } from '../../src/checkpoints/directory.ts'
import { fetchLater } from '../../src/checkpoints/later.ts'
import type { Shelf } from '../../src/checkpoints/shelf.ts'
import { LIMITS } from '../../src/config/limits.ts'

/** Fetches the older part of a log and is killed, without a word, at the `at`th part it asks for or segment that has come. */
const { dataDir, from, at, where } = JSON.parse(process.argv[2]!) as {
  readonly dataDir: string
  readonly from: string
  readonly at: number
  readonly where: 'part' | 'segment'
}
let count = 0
const reach = (here: typeof where): void => {
  if (here === where && ++count === at) process.kill(process.pid, 'SIGKILL')
}
const whole = openDirectoryShelf(from)
const shelf: Shelf = {
  ...whole,
  read: (id, read) =>
    whole.read(id, (source) =>
      read({
        ...source,
        part(part) {
          reach('part')
          return source.part(part)
        },
      }),
    ),
}
await fetchLater(shelf, {
  dataDir,
  bounds: LIMITS,
  progress: () => reach('segment'),
  onBad(error) {
    throw error
  },
})
