import { OperatorError } from '../base/errors.ts'
import { openDirectoryShelf } from '../checkpoints/directory.ts'
import type { Shelf } from '../checkpoints/shelf.ts'
import { LIMITS } from '../config/limits.ts'
import type { Options } from '../config/options.ts'

const IN_OBJECT_STORE = 'nats:'

/** Where CHECKPOINTS says. */
export async function openShelf({ checkpoints, logUrls }: Options): Promise<Shelf> {
  if (checkpoints === null) {
    throw new OperatorError('CHECKPOINTS says where checkpoints are kept: nats: (with LOG_URL), or a directory')
  }
  if (checkpoints !== IN_OBJECT_STORE) return openDirectoryShelf(checkpoints)
  const { openObjectShelf } = await import('../checkpoints/object-store.ts')
  return openObjectShelf(logUrls ?? [], LIMITS)
}
