import { OperatorError } from '../base/errors.ts'
import type { CheckpointStore } from '../checkpoints/checkpoint-store.ts'
import { openDirectoryCheckpoints } from '../checkpoints/directory.ts'
import type { Options } from '../config/options.ts'

const IN_OBJECT_STORE = 'nats:'

/** Opens the store named by CHECKPOINTS. */
export async function openCheckpointStore({ checkpoints, logUrls }: Options): Promise<CheckpointStore> {
  if (checkpoints === null) {
    throw new OperatorError('CHECKPOINTS says where checkpoints are kept: nats: (with LOG_URL), or a directory')
  }
  if (checkpoints !== IN_OBJECT_STORE) return openDirectoryCheckpoints(checkpoints)
  const { openObjectCheckpoints } = await import('../checkpoints/object-store.ts')
  return openObjectCheckpoints(logUrls ?? [])
}
