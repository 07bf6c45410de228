import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PRIVATE_UMASK } from '../../base/private-files.ts'
import { isWatched } from './manifest.ts'
import { PAGE_BYTES } from './paths.ts'

/** Hears of every change to a file before it happens. */
export interface Listener {
  page(path: string, page: number, crc: number | null): void
  file(path: string): void
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

const O_TRUNC = 512

/** PostgreSQL's image comes with files that everybody may write, and sets their modes past the umask. */
const forOwner = (attributes: Attributes): Attributes =>
  attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~PRIVATE_UMASK }

/** The files of a directory, as PGlite's own `NodeFS`, with somebody who is told what is written. */
export class WatchedFs extends NodeFS {
  listener: Listener | null = null

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given)
    const watch = (module: unknown): void => this.#watch((module as { NODEFS: NodeFsOps }).NODEFS)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), watch] } }
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
      if (name !== null) this.listener!.file(name)
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
    streams.write = (stream, bytes, offset, length, position) => {
      const name = this.listener === null ? null : below(ops.realPath(stream.node))
      if (name !== null) tell(this.listener!, name, bytes.subarray(offset, offset + length), position)
      return write(stream, bytes, offset, length, position)
    }
  }
}

function tell(listener: Listener, name: string, bytes: Int8Array, position: number): void {
  const isWhole = position % PAGE_BYTES === 0 && bytes.length % PAGE_BYTES === 0
  const raw = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const last = Math.floor((position + bytes.length - 1) / PAGE_BYTES)
  for (let page = Math.floor(position / PAGE_BYTES); page <= last; page++) {
    const at = page * PAGE_BYTES - position
    listener.page(name, page, isWhole ? crc32(raw.subarray(at, at + PAGE_BYTES)) : null)
  }
}
