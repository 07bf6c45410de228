import { jetstream } from '@nats-io/jetstream'
import { Objm, StorageType } from '@nats-io/obj'
import { within } from '@ti/core/base/within.ts'
import { OperatorError } from '../base/errors.ts'
import { createAsking } from '../log/jetstream/asking.ts'
import { connectTo, copiesOn, JETSTREAM, type JetStreamBounds } from '../log/jetstream/connect.ts'
import { badCheckpoint, headerIn } from '../store/checkpoint.ts'
import { type CheckpointStore, idOf, type Kept, newestFirst } from './checkpoint-store.ts'

/** milliseconds that a part may be on its way to or from an object store: a slow line is waited for, a lost part is not */
const PART_MS = 300_000

const BUCKET = 'ti-checkpoints'
/** written last, so a checkpoint that has one is complete */
const HEADER = 'header'

/**
 * An object store on the servers of the shared log, with an object per part and one for the header. Parts are separate
 * because the client reads a whole object into memory as fast as it arrives. Requests that fail without a leader are
 * retried for a while.
 */
export async function openObjectCheckpoints(
  servers: readonly string[],
  bounds: JetStreamBounds = JETSTREAM,
): Promise<CheckpointStore> {
  const connection = await connectTo(servers)
  const { retry } = createAsking(connection, bounds)
  const timeout = bounds.answerMs
  const options = { storage: StorageType.File, replicas: copiesOn(servers) }
  const manager = new Objm(jetstream(connection, { timeout }))
  const objects = await asked(() => manager.create(BUCKET, options)).catch(async (error: Error) => {
    await connection.close()
    throw error
  })

  function asked<T>(question: () => Promise<T>): Promise<T> {
    // the client never returns from reading a part that is removed meanwhile
    const bounded = () => within(PART_MS, question())
    return retry(bounded, AbortSignal.timeout(bounds.startMs)).catch((cause: Error) => {
      throw new OperatorError(`CHECKPOINTS: the object store cannot be used: ${cause.message}`, { cause })
    })
  }

  const put = (name: string, bytes: Uint8Array) => asked(() => objects.putBlob({ name }, bytes, { timeout }))
  const get = (name: string) => asked(() => objects.getBlob(name))
  const list = () => asked(() => objects.list())

  async function keptAt(name: string): Promise<Kept | null> {
    const bytes = await get(name)
    if (bytes === null) return null
    const header = headerIn(Buffer.from(bytes).toString())
    return header === null ? null : { id: placeOf(name), header }
  }

  async function remove(id: string): Promise<void> {
    // the header first: without it a checkpoint being removed is no longer complete
    await asked(() => objects.delete(`${id}/${HEADER}`))
    for (const { name } of await list()) {
      if (name.startsWith(`${id}/`)) await asked(() => objects.delete(name))
    }
  }

  return {
    name: `object store ${BUCKET}`,
    async list() {
      const names = (await list()).map(({ name }) => name).filter((name) => name.endsWith(`/${HEADER}`))
      const found = await Promise.all(names.map(keptAt))
      return newestFirst(found.filter((kept) => kept !== null))
    },
    async add(header) {
      const id = idOf(header)
      return {
        put: async (part, compressed) => void (await put(`${id}/${part}`, compressed)),
        done: async () => void (await put(`${id}/${HEADER}`, Buffer.from(JSON.stringify(header)))),
        abandon: () => remove(id),
      }
    },
    async read(id, read) {
      const kept = await keptAt(`${id}/${HEADER}`)
      const name = `${BUCKET}/${id}`
      if (kept === null) throw badCheckpoint(name, 'it has no header')
      return read({
        name,
        header: kept.header,
        async part(part) {
          const bytes = await get(`${id}/${part}`)
          if (bytes === null) throw badCheckpoint(name, `part ${part} is missing`)
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        },
      })
    },
    remove,
    async sweep(beforeMs) {
      const all = await list()
      const whole = new Set(all.filter(({ name }) => name.endsWith(`/${HEADER}`)).map(({ name }) => placeOf(name)))
      const newest = new Map<string, number>()
      for (const { name, mtime } of all) {
        newest.set(placeOf(name), Math.max(newest.get(placeOf(name)) ?? 0, Date.parse(mtime)))
      }
      for (const [id, ms] of newest) if (!whole.has(id) && ms < beforeMs) await remove(id)
    },
    close: () => connection.close(),
  }
}

const placeOf = (name: string): string => name.slice(0, name.indexOf('/'))
