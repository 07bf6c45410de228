import { jetstream } from '@nats-io/jetstream'
import { type ObjectStore, Objm, StorageType } from '@nats-io/obj'
import { type ConnectBounds, connectTo, copiesOn } from '../log/jetstream/connect.ts'
import { badCheckpoint, headerIn } from '../store/checkpoint.ts'
import { idOf, type Kept, newestFirst, type Shelf } from './shelf.ts'

const BUCKET = 'ti-checkpoints'
/** written last: what has one is whole */
const HEADER = 'header'

/** Those of LIMITS with the same names. */
export type ObjectBounds = ConnectBounds & Readonly<Record<'logAnswerMs', number>>

/**
 * An object store on the servers of the shared log: an object for each part, because the client takes a whole object into
 * memory as fast as the servers send it, and one for the header.
 */
export async function openObjectShelf(servers: readonly string[], bounds: ObjectBounds): Promise<Shelf> {
  const connection = await connectTo(servers, bounds)
  const options = { storage: StorageType.File, replicas: copiesOn(servers) }
  const objects = await new Objm(jetstream(connection, { timeout: bounds.logAnswerMs }))
    .create(BUCKET, options)
    .catch(async (error: Error) => {
      await connection.close()
      throw error
    })
  const timeout = bounds.logAnswerMs
  const put = (name: string, bytes: Uint8Array) => objects.putBlob({ name }, bytes, { timeout })

  async function remove(id: string): Promise<void> {
    // the header first: what is being removed is not whole any more
    await objects.delete(`${id}/${HEADER}`)
    for (const { name } of await objects.list()) if (name.startsWith(`${id}/`)) await objects.delete(name)
  }

  return {
    name: `object store ${BUCKET}`,
    async list() {
      const names = (await objects.list()).map(({ name }) => name).filter((name) => name.endsWith(`/${HEADER}`))
      const found = await Promise.all(names.map((name) => keptOf(objects, name)))
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
      const kept = await keptOf(objects, `${id}/${HEADER}`)
      const name = `${BUCKET}/${id}`
      if (kept === null) throw badCheckpoint(name, 'it has no header')
      return read({
        name,
        header: kept.header,
        async part(part) {
          const bytes = await objects.getBlob(`${id}/${part}`)
          if (bytes === null) throw badCheckpoint(name, `part ${part} is missing`)
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        },
      })
    },
    remove,
    async sweep(beforeMs) {
      const all = await objects.list()
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

async function keptOf(objects: ObjectStore, name: string): Promise<Kept | null> {
  const bytes = await objects.getBlob(name)
  if (bytes === null) return null
  const header = headerIn(Buffer.from(bytes).toString())
  return header === null ? null : { id: placeOf(name), header }
}
