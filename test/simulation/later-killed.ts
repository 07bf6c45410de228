import type { CheckpointStore } from '@ti/service/checkpoints/checkpoint-store.ts'
import { openDirectoryCheckpoints } from '@ti/service/checkpoints/directory.ts'
import { fetchMissingSegments } from '@ti/service/checkpoints/fetch-segments.ts'

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
const whole = openDirectoryCheckpoints(from)
const checkpointStore: CheckpointStore = {
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
await fetchMissingSegments(checkpointStore, {
  dataDir,
  progress: () => reach('segment'),
  onBad(error) {
    throw error
  },
})
