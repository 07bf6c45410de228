import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PRIVATE_UMASK } from '../../base/private-files.ts'
import { outOfRoom } from '../../base/shortage.ts'
import { type GuardedLoop, guardLoop, type Loop } from './guarded-loop.ts'
import { isWatched } from './manifest.ts'
import { PAGE_BYTES } from './paths.ts'

/** Hears of every change to a file before it happens. */
export interface Listener {
  page(path: string, page: number, crc: number | null): void
  file(path: string): void
  /** the write to a page failed */
  unsure(path: string, page: number): void
}

/** the parts of Emscripten's file system that change files */
interface FsNode {
  readonly mount: unknown
}
interface Stream {
  readonly node: FsNode
  readonly flags: number
}
type Attributes = { readonly size?: number; readonly mode?: number }
interface NodeFsOps {
  realPath(node: FsNode): string
  /** turns an error of the system into one of this file system */
  tryFSOperation<T>(run: () => T): T
  readonly node_ops: {
    mknod(parent: FsNode, name: string, mode: number, dev: unknown): unknown
    rename(node: FsNode, parent: FsNode, name: string): void
    unlink(parent: FsNode, name: string): void
    setattr(node: FsNode, attributes: Attributes): void
  }
  readonly stream_ops: {
    open(stream: Stream): void
    setattr(stream: Stream, attributes: Attributes): void
    write(stream: Stream, bytes: Int8Array, offset: number, length: number, position: number): number
  }
}

interface FileSystem {
  readonly streams: readonly (Stream | null | undefined)[]
  close(stream: Stream): void
}
type Module = { readonly NODEFS: NodeFsOps; readonly FS: FileSystem } & Loop

const O_TRUNC = 512
/** an error that may be damage is not a passing one */
const PASSES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM', 'EROFS'])

/** PostgreSQL's image comes with files that everybody may write, and sets their modes past the umask. */
const forOwner = (attributes: Attributes): Attributes =>
  attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~PRIVATE_UMASK }

/**
 * The files of a directory, as PGlite's own `NodeFS`, with a callback for every write. It remembers which resource the
 * system lacked, because PostgreSQL says only what it could not do, or ends.
 */
export class WatchedFs extends NodeFS {
  listener: Listener | null = null
  /** what a call failed for since this was set to null */
  shortage: unknown = null
  #loop: GuardedLoop | null = null
  #files: FileSystem | null = null

  /** with what PostgreSQL ended; null while it runs */
  get ended(): unknown {
    return this.#loop?.ended() ?? null
  }

  /** Gives the files of a PostgreSQL back that has ended or never began, without asking it anything. */
  release(): void {
    this.listener = null
    this.#loop?.end()
    for (const stream of this.#files?.streams ?? []) {
      try {
        if (stream) this.#files!.close(stream)
      } catch {
        // its descriptor is gone in any case
      }
    }
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given)
    const watch = (module: unknown): void => {
      const of = module as Module
      this.#files = of.FS
      this.#loop = guardLoop(of)
      this.#remember(of.NODEFS)
      this.#watch(of.NODEFS)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), watch] } }
  }

  #remember(ops: NodeFsOps): void {
    const { tryFSOperation } = ops
    ops.tryFSOperation = (run) =>
      tryFSOperation(() => {
        try {
          return run()
        } catch (error) {
          if (PASSES.has((error as { code?: unknown }).code)) this.shortage = error
          throw error
        }
      })
  }

  #watch(ops: NodeFsOps): void {
    const { node_ops: nodes, stream_ops: streams } = ops
    const { mknod, rename, unlink, setattr } = nodes
    const below = (path: string): string | null => {
      const name = relative(this.rootDir, path).replaceAll('\\', '/')
      return isWatched(name) ? name : null
    }
    const file = (path: string): void => {
      const name = this.listener === null ? null : below(path)
      // an error of the listener becomes one that PostgreSQL understands: any other ends it wherever it is
      if (name !== null) ops.tryFSOperation(() => this.listener!.file(name))
    }
    nodes.mknod = (parent, name, mode, dev) => {
      // directories hold nothing by themselves
      if ((mode & 0o170000) !== 0o040000) file(join(ops.realPath(parent), name))
      return mknod(parent, name, mode & ~PRIVATE_UMASK, dev)
    }
    nodes.rename = (node, parent, name) => {
      file(ops.realPath(node))
      file(join(ops.realPath(parent), name))
      rename(node, parent, name)
    }
    nodes.unlink = (parent, name) => {
      file(join(ops.realPath(parent), name))
      unlink(parent, name)
    }
    nodes.setattr = (node, attributes) => {
      if (attributes.size !== undefined) file(ops.realPath(node))
      setattr(node, forOwner(attributes))
    }
    const { open, setattr: setStream, write } = streams
    streams.open = (stream) => {
      if ((stream.flags & O_TRUNC) !== 0) file(ops.realPath(stream.node))
      open(stream)
    }
    streams.setattr = (stream, attributes) => {
      if (attributes.size !== undefined) file(ops.realPath(stream.node))
      setStream(stream, forOwner(attributes))
    }
    const put: typeof write = (stream, bytes, offset, length, position) => {
      const written = write(stream, bytes, offset, length, position)
      // the system does not treat this as an error, but PostgreSQL does: at a start it gives up
      if (written < length) this.shortage = outOfRoom(`${written} of ${length} bytes were written`)
      return written
    }
    streams.write = (stream, bytes, offset, length, position) => {
      const name = this.listener === null ? null : below(ops.realPath(stream.node))
      if (name === null) return put(stream, bytes, offset, length, position)
      const { listener } = this
      let written = 0
      try {
        ops.tryFSOperation(() => notify(listener!, name, bytes.subarray(offset, offset + length), position))
        written = put(stream, bytes, offset, length, position)
        return written
      } finally {
        if (written < length) unsay(listener!, name, length, position)
      }
    }
  }
}

function notify(listener: Listener, name: string, bytes: Int8Array, position: number): void {
  const isWhole = position % PAGE_BYTES === 0 && bytes.length % PAGE_BYTES === 0
  const raw = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const last = Math.floor((position + bytes.length - 1) / PAGE_BYTES)
  for (let page = Math.floor(position / PAGE_BYTES); page <= last; page++) {
    const at = page * PAGE_BYTES - position
    listener.page(name, page, isWhole ? crc32(raw.subarray(at, at + PAGE_BYTES)) : null)
  }
}

/** The write failed or was partial: the contents of these pages are unknown. */
function unsay(listener: Listener, name: string, length: number, position: number): void {
  const last = Math.floor((position + length - 1) / PAGE_BYTES)
  for (let page = Math.floor(position / PAGE_BYTES); page <= last; page++) listener.unsure(name, page)
}
